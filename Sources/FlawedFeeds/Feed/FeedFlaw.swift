public import LiveFeeds

/// The ways in which a feed is wrong on purpose. Each replaces one part of the sound one.
public enum FeedFlaw: String, CaseIterable, Sendable {
  /// ``UnsubscribedByNobody``
  case neverUnsubscribed = "never-unsubscribed"
  /// ``HeldStreams``
  case heldAfterBreak = "held-after-break"
  /// ``DoublingFollower``
  case secondStartDoubles = "second-start-doubles"
  /// ``BufferShowingFollower``
  case shownAfterStop = "shown-after-stop"
  /// ``StrongFollower``
  case modelKeptByFeed = "model-kept-by-feed"
  /// ``MisreportedDrops``
  case dropMisreported = "drop-misreported"
  /// ``PushedWithoutBound``
  case pushedWithoutBound = "pushed-without-bound"
  /// ``EndlessMerge``
  case emptyMergeNeverEnds = "empty-merge-never-ends"
  /// ``LockedHub``
  case finishedUnderLock = "finished-under-lock"
  /// ``OneReaderWoken``
  case oneReaderWoken = "one-reader-woken"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .neverUnsubscribed: "nothing unsubscribes a feed whose consumer has left"
    case .heldAfterBreak: "something else holds the stream that a consumer left by break, and it never ends"
    case .secondStartDoubles: "starting again leaves the first feed running, and each price is shown twice"
    case .shownAfterStop: "prices that waited in the buffer are shown after the stop"
    case .modelKeptByFeed: "the loop of a view model keeps the model as long as the feed lives"
    case .dropMisreported: "the price just offered is reported as dropped, though an older one was"
    case .pushedWithoutBound:
      "a wrapper pushes what was to be pulled, or bounded, into a stream without a bound"
    case .emptyMergeNeverEnds: "merging no sources waits for one of them to end"
    case .finishedUnderLock: "streams are finished under the lock that their termination handlers take"
    case .oneReaderWoken: "of several readers that wait for one feed's end only the first is woken"
    }
  }

  /// Where a case of it was reported in public, as `repository#number` or an address; nil where a
  /// published listing has it.
  public var report: String? {
    switch self {
    case .neverUnsubscribed: "https://forums.swift.org/t/how-do-you-completely-cancel-an-asyncstream/53733"
    case .dropMisreported, .heldAfterBreak, .secondStartDoubles, .shownAfterStop,
      .modelKeptByFeed:
      nil
    case .pushedWithoutBound: "swift-server/swift-kafka-client#131"
    case .emptyMergeNeverEnds: "sideeffect-io/AsyncExtensions#48"
    case .finishedUnderLock: "apple/containerization#908"
    case .oneReaderWoken: "swiftlang/swift#71412"
    }
  }

  /// Sound components with the flawed part in place.
  public var components: FeedComponents {
    var parts = FeedComponents()
    switch self {
    case .neverUnsubscribed: parts.open = { UnsubscribedByNobody.open($0) }
    case .heldAfterBreak:
      let held = HeldStreams()
      parts.open = { held.open($0) }
    case .secondStartDoubles: parts.follower = DoublingFollower()
    case .shownAfterStop: parts.follower = BufferShowingFollower()
    case .modelKeptByFeed: parts.follower = StrongFollower()
    case .dropMisreported: parts.open = { MisreportedDrops.open($0) }
    case .pushedWithoutBound:
      parts.open = { PushedWithoutBound.open($0) }
      parts.pull = { PushedWithoutBound.pull($0, $1) }
    case .emptyMergeNeverEnds: parts.merge = { EndlessMerge.open($0, $1) }
    case .finishedUnderLock: parts.distribute = { LockedHub(source: $0, symbol: $1) }
    case .oneReaderWoken: parts.open = { OneReaderWoken($0) }
    }
    return parts
  }
}
