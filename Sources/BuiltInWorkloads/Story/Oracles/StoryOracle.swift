internal import StoryPipeline
internal import WorkloadInterface

/// What was seen of one story, in the order in which it was seen.
enum StoryEvent: Sendable {
  /// A provider is asked, in the task of that number.
  case callStarted(ProviderCall, task: Int)
  /// Its call has ended, in that task.
  case callEnded(ProviderCall, CallOutcome, task: Int)
  /// A worker for elements of this kind is about to be started; it has ended, and holds none.
  case workerStarted(ProviderKind), workerEnded(ProviderKind)
  /// An element exists, came into the registry, was taken by its consumer, was withdrawn by a cancel.
  case made(CandidateID, slot: Int), stored(CandidateID), delivered(CandidateID), dropped(CandidateID)
  /// A stage reported a failed slot.
  case slotFailed(ProviderKind, slot: Int, isCancellation: Bool)
  /// A cancel or a choice has returned: the stage that ran was told to stop.
  case stopped
  /// A second start of names is asked for; it has returned.
  case restarting, restarted
  /// A regeneration was cancelled, and then its element came.
  case cameAfterCancel
  /// A choice was taken without a refusal; so many of it are not in the result.
  case chose(missing: Int)
  /// And so many are not in the user's order, or were not chosen this time.
  case chosen(displaced: Int, extra: Int)
  /// The story counts as complete.
  case written
  /// The view model was let go of.
  case leftScreen
  /// The view model has changed what it shows.
  case viewUpdated
}

/// What is known when all is over.
struct StoryEnd: Sendable {
  /// Whether the iteration has ended; one that still runs may put right what looks wrong.
  let hasEnded: Bool
  /// Entries in the table of tasks.
  let tableEntries: Int
  /// Provider calls that have begun and not ended.
  let openCalls: Int
  /// Workers that were started and have not ended.
  let openWorkers: Int
  /// Whether a view model that was let go of is still there.
  let isModelAlive: Bool
}

/// Who asks a provider. Tasks are told apart by where they lie in memory, which a later task may take over; it
/// then makes other calls.
struct Asker: Hashable {
  private let task: Int
  private let kind: ProviderKind
  private let attempt: Int

  init(_ call: ProviderCall, task: Int) {
    self.task = task
    kind = call.kind
    attempt = call.attempt
  }
}

/// Looks for one fault in what was seen of one story.
///
/// An oracle judges by order alone (this was answered after that had returned), never by how long something
/// took, so that a slow machine cannot make it cry wolf.
protocol StoryOracle: Sendable {
  /// The fault.
  static var declaration: FindingDeclaration { get }
  /// Something was seen.
  mutating func see(_ event: StoryEvent)
  /// The figures that show the fault, or nil where there is none.
  func evidence(at end: StoryEnd) -> [String: Int64]?
  /// Where there is one, figures of its first sighting that make no sum.
  var firstSighting: [String: Int64] { get }
}

extension StoryOracle {
  var firstSighting: [String: Int64] { [:] }
}

/// All oracles, for one story.
struct StoryOracles: Sendable {
  private var lostLastFlush = LostLastFlush()
  private var askedAfterCancel = AskedAfterCancel()
  private var cancellationReportedAsFailure = CancellationReportedAsFailure()
  private var wrongSlot = WrongSlot()
  private var unboundedRunAhead: UnboundedRunAhead
  private var lostSelection = LostSelection()
  private var lostCancel = LostCancel()
  private var endedTaskKept = EndedTaskKept()
  private var twoProducers = TwoProducers()
  private var retainedViewModel = RetainedViewModel()
  private var selectionReordered = SelectionReordered()
  private var earlierChoiceKept = EarlierChoiceKept()
  private var failureSwallowed = FailureSwallowed()
  private var proseFailureAsEnd = ProseFailureAsEnd()

  /// Oracles for a story kept by this strategy.
  init(_ strategy: RegistryStrategy) { unboundedRunAhead = UnboundedRunAhead(strategy) }

  /// The faults they look for.
  static let declarations: [FindingDeclaration] = [
    LostLastFlush.declaration, AskedAfterCancel.declaration, CancellationReportedAsFailure.declaration,
    WrongSlot.declaration, UnboundedRunAhead.declaration, LostSelection.declaration, LostCancel.declaration,
    EndedTaskKept.declaration, TwoProducers.declaration, RetainedViewModel.declaration,
    SelectionReordered.declaration, EarlierChoiceKept.declaration, FailureSwallowed.declaration,
    ProseFailureAsEnd.declaration,
  ]

  /// Something was seen.
  mutating func see(_ event: StoryEvent) {
    lostLastFlush.see(event)
    askedAfterCancel.see(event)
    cancellationReportedAsFailure.see(event)
    wrongSlot.see(event)
    unboundedRunAhead.see(event)
    lostSelection.see(event)
    lostCancel.see(event)
    endedTaskKept.see(event)
    twoProducers.see(event)
    retainedViewModel.see(event)
    selectionReordered.see(event)
    earlierChoiceKept.see(event)
    failureSwallowed.see(event)
    proseFailureAsEnd.see(event)
  }

  /// The faults found in one story.
  func findings(at end: StoryEnd, iteration: Int) -> [ReportedFinding] {
    let all: [any StoryOracle] = [
      lostLastFlush, askedAfterCancel, cancellationReportedAsFailure, wrongSlot, unboundedRunAhead,
      lostSelection, lostCancel, endedTaskKept, twoProducers, retainedViewModel, selectionReordered,
      earlierChoiceKept, failureSwallowed, proseFailureAsEnd,
    ]
    return all.compactMap { oracle in
      oracle.evidence(at: end).map {
        ReportedFinding(
          type(of: oracle).declaration.name, evidence: $0, firstSighting: oracle.firstSighting,
          iteration: iteration)
      }
    }
  }
}
