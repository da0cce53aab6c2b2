/// A name as a provider returns it.
public struct CharacterName: Sendable, Codable, Equatable {
  /// The name itself.
  public var text: String
  /// Why it fits.
  public var explanation: String

  /// A name with its explanation.
  public init(_ text: String, explanation: String) {
    self.text = text
    self.explanation = explanation
  }
}

/// A title as a provider returns it.
public struct StoryTitle: Sendable, Codable, Equatable {
  /// The title itself.
  public var text: String
  /// Why it fits.
  public var explanation: String

  /// A title with its explanation.
  public init(_ text: String, explanation: String) {
    self.text = text
    self.explanation = explanation
  }
}

/// A name offered to the user.
public struct CharacterNameCandidate: Sendable, Codable, Equatable, Identifiable {
  /// Its identity, from the injected source.
  public let id: CandidateID
  /// The place it was made for, from 0.
  public let slot: Int
  /// The role it was made for; `nil` where the request names none.
  public let archetype: CharacterArchetype?
  /// The name and its explanation.
  public let name: CharacterName

  /// A candidate from its parts.
  public init(id: CandidateID, slot: Int, archetype: CharacterArchetype?, name: CharacterName) {
    self.id = id
    self.slot = slot
    self.archetype = archetype
    self.name = name
  }
}

/// A title offered to the user.
public struct TitleCandidate: Sendable, Codable, Equatable, Identifiable {
  /// Its identity, from the injected source.
  public let id: CandidateID
  /// The place it was made for, from 0.
  public let slot: Int
  /// The title and its explanation.
  public let title: StoryTitle

  /// A candidate from its parts.
  public init(id: CandidateID, slot: Int, title: StoryTitle) {
    self.id = id
    self.slot = slot
    self.title = title
  }
}

/// One step of an outline.
public struct PlotPoint: Sendable, Codable, Equatable {
  /// Its place in the outline, from 0.
  public var slot: Int
  /// What happens.
  public var text: String

  /// A plot point from its parts.
  public init(slot: Int, text: String) {
    self.slot = slot
    self.text = text
  }
}

/// What a registry holds: a name or a title.
public enum Candidate: Sendable, Codable, Equatable, Identifiable {
  /// A name.
  case name(CharacterNameCandidate)
  /// A title.
  case title(TitleCandidate)

  /// The identity of the candidate held.
  public var id: CandidateID {
    switch self {
    case .name(let candidate): candidate.id
    case .title(let candidate): candidate.id
    }
  }

  /// The place it was made for, from 0.
  public var slot: Int {
    switch self {
    case .name(let candidate): candidate.slot
    case .title(let candidate): candidate.slot
    }
  }
}
