/// Everything the pipeline needs, and everything the user has settled so far.
///
/// One value is passed forward from stage to stage. It is written at each stage boundary
/// (``RequestPersisting``), and a pipeline started from a stored one goes on where it stopped.
public struct GenerationRequest: Sendable, Codable, Equatable {
  /// The kind of story.
  public var genre: Genre
  /// How it is told.
  public var tone: Tone
  /// The characters asked for; a name stage chooses among them for each slot. May be empty.
  public var archetypes: [CharacterArchetype]
  /// What the characters are like, in the user's words.
  public var personality: String
  /// The culture that names should come from, in the user's words.
  public var culturalOrigin: String
  /// Where and when the story takes place.
  public var setting: String
  /// What the story is about.
  public var conflictDescription: String
  /// Published books the title should stand beside.
  public var comparableTitles: [String]
  /// Whether the title is to sell or to be remembered.
  public var market: Market

  /// Every name of a finished name stage, in slot order; `nil` before it has finished.
  public var offeredNames: [CharacterNameCandidate]?
  /// The chosen names, in the user's order; `nil` before the choice.
  public var selectedNames: [CharacterNameCandidate]?
  /// Every title of a finished title stage, in slot order; `nil` before it has finished.
  public var offeredTitles: [TitleCandidate]?
  /// The chosen title; `nil` before the choice.
  public var selectedTitle: TitleCandidate?
  /// The complete outline, in slot order; `nil` before it is complete.
  public var plotPoints: [PlotPoint]?
  /// The finished prose; `nil` before it is complete.
  public var paragraphs: [String]?

  /// A request with nothing generated yet.
  public init(
    genre: Genre, tone: Tone, archetypes: [CharacterArchetype], personality: String = "",
    culturalOrigin: String = "", setting: String, conflictDescription: String,
    comparableTitles: [String] = [], market: Market = .commercial
  ) {
    self.genre = genre
    self.tone = tone
    self.archetypes = archetypes
    self.personality = personality
    self.culturalOrigin = culturalOrigin
    self.setting = setting
    self.conflictDescription = conflictDescription
    self.comparableTitles = comparableTitles
    self.market = market
  }

  /// How far this request has come: the boundary that a resumed pipeline starts from.
  public var boundary: StageBoundary {
    if paragraphs != nil { return .written }
    if plotPoints != nil { return .outlined }
    if selectedTitle != nil { return .titleSelected }
    if offeredTitles != nil { return .titlesOffered }
    if selectedNames != nil { return .namesSelected }
    if offeredNames != nil { return .namesOffered }
    return .brief
  }
}

/// The points at which a request is written and can be resumed, in the order in which they are reached.
public enum StageBoundary: String, Sendable, Codable, CaseIterable {
  /// Nothing is generated yet.
  case brief
  /// The name stage has finished; nothing is chosen.
  case namesOffered
  /// Names are chosen.
  case namesSelected
  /// The title stage has finished; nothing is chosen.
  case titlesOffered
  /// A title is chosen.
  case titleSelected
  /// The outline is complete.
  case outlined
  /// The prose is complete.
  case written
}

/// The kind of story.
public enum Genre: String, Sendable, Codable, CaseIterable {
  /// Kinds on offer.
  case fantasy, mystery, romance, scienceFiction, thriller, literary
}

/// How a story is told.
public enum Tone: String, Sendable, Codable, CaseIterable {
  /// Tones on offer.
  case dark, humorous, hopeful, wistful, suspenseful
}

/// Whom a title is for.
public enum Market: String, Sendable, Codable, CaseIterable {
  /// A title that sells, or one that is remembered.
  case commercial, literary
}

/// A role in a story.
public enum CharacterArchetype: String, Sendable, Codable, CaseIterable {
  /// Roles on offer.
  case hero, mentor, trickster, guardian, shadow, herald
}
