/// Where candidates are kept and chosen from. The strategies differ in what protects it.
public protocol CandidateRegistry: AnyObject, Sendable {
  /// Keeps one candidate. On an actor: one hop.
  func store(_ candidate: Candidate) async
  /// Keeps a batch. On an actor: one hop.
  func store(contentsOf batch: [Candidate]) async
  /// Makes the user's choice and returns it in the user's order. All or nothing:
  /// throws ``SelectionRefusal`` if one of `ids` is not in the registry, and the former choice stays.
  func select(_ ids: [CandidateID]) async throws(SelectionRefusal) -> [Candidate]
  /// The choice, in the user's order.
  func selectedCandidates() async -> [Candidate]
  /// Those of `ids` that are in the registry, in the order given. Leaves the others out without a word.
  func candidates(for ids: [CandidateID]) async -> [Candidate]
  /// How many candidates are kept. Constant time.
  func count() async -> Int
  /// A copy of everything. Takes time in proportion to the number of candidates, while it holds the registry.
  func snapshot() async -> RegistrySnapshot
}

/// The user chose something that is not in the registry (not yet, where stores are batched).
public struct SelectionRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// The identities that are not there, in the user's order.
  public let notStored: [CandidateID]

  /// A refusal of these identities.
  public init(notStored: [CandidateID]) { self.notStored = notStored }

  /// One line for the user.
  public var description: String {
    let names = notStored.map(\.description).joined(separator: ", ")
    return "not in the registry: \(names); nothing was selected, choose again"
  }
}

/// A registry's contents at one moment.
public struct RegistrySnapshot: Sendable {
  /// All candidates, in no order.
  public let unordered: [Candidate]
  /// The choice, in the user's order.
  public let selected: [CandidateID]

  /// All candidates by rising identity. Sorts each time.
  public var candidates: [Candidate] { unordered.sorted { $0.id < $1.id } }
}
