internal import StoryPipeline

/// Identities that say which call an element came from, so that an oracle can tell where it belongs.
struct StoryIdentifiers: IdentifierSource {
  func identifier(for call: ProviderCall) -> CandidateID {
    let kind: UInt64 = call.kind == .titles ? 1 : 0
    return CandidateID(kind << 48 | UInt64(call.attempt) << 16 | UInt64(call.slot))
  }

  /// The slot that an identity was made for.
  static func slot(of id: CandidateID) -> Int { Int(id.rawValue & 0xffff) }

  /// The provider that an identity came from.
  static func kind(of id: CandidateID) -> ProviderKind { id.rawValue >> 48 == 1 ? .titles : .names }
}
