import Synchronization
public import TokenStreaming

/// Flaw: the cadence looks at the clock only when a token comes.
///
/// When the stream goes silent, text stays in hand until it speaks again. Sound: ``CadencePresentation`` has a timer.
public struct TokenClockedPresentation<Time: Clock>: TokenPresentation where Time.Duration == Duration {
  private let every: Duration
  private let clock: Time

  /// An update at most once in `every`.
  public init(every: Duration, clock: Time) {
    self.every = every
    self.clock = clock
  }

  /// Shows what has come when a token comes late enough, and at the end.
  public func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd {
    var collected = Collected()
    var lastUpdate = clock.now
    var failure: (any Error)?
    do {
      for try await token in stream {
        collected.append(token)
        if clock.now >= lastUpdate.advanced(by: every), let update = collected.take(.age) {
          await show(update)
          lastUpdate = clock.now
        }
      }
    } catch {
      failure = error
    }
    if let update = collected.take(.end) { await show(update) }
    return StreamEnd(error: failure, isCancelled: Task.isCancelled)
  }
}

/// Text and the tokens it is of.
struct Collected {
  private var joiner = GraphemeJoiner()
  private var text = ""
  private var tokens = 0..<0

  mutating func append(_ token: Token) {
    text += joiner.append(token.utf8)
    tokens = (tokens.isEmpty ? token.index : tokens.lowerBound)..<token.index + 1
  }

  mutating func take(_ cause: FlushCause) -> TextUpdate? {
    guard !tokens.isEmpty else { return nil }
    if cause == .end { text += joiner.finish() }
    defer {
      text = ""
      tokens = tokens.upperBound..<tokens.upperBound
    }
    return TextUpdate(text: text, tokens: tokens, cause: cause)
  }
}

/// Flaw: the last flush stands behind the loop, where one kind of ending does not come by.
///
/// Sound: ``CadencePresentation`` shows the rest whatever ended the stream.
public struct ForgetfulPresentation: TokenPresentation {
  /// The ending at which the rest is forgotten.
  public enum Forgotten: Sendable {
    /// The engine failed.
    case failure
    /// The reader was cancelled.
    case cancel
  }

  private let sound: any TokenPresentation
  private let forgotten: Forgotten

  /// Wraps the sound presentation and withholds its last update.
  public init(_ sound: any TokenPresentation, on forgotten: Forgotten) {
    self.sound = sound
    self.forgotten = forgotten
  }

  /// As the sound one, but for the last update.
  public func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd {
    let last = Mutex<TextUpdate?>(nil)
    let end = await sound.present(stream) { update in
      if update.cause == .end { last.withLock { $0 = update } } else { show(update) }
    }
    let isForgotten =
      switch forgotten {
      case .failure: end.error != nil && !end.isCancelled
      case .cancel: end.isCancelled
      }
    if !isForgotten, let update = last.withLock({ $0 }) { await show(update) }
    return end
  }
}

/// Flaw: each token's bytes are made a string by themselves.
///
/// A character cut over two tokens is shown as two replacement characters. Sound: ``GraphemeJoiner``.
public struct TokenwiseDecodingPresentation: TokenPresentation {
  /// It has no state.
  public init() {}

  /// One update for each token.
  public func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd {
    var failure: (any Error)?
    do {
      for try await token in stream {
        let text = String(decoding: token.utf8, as: UTF8.self)
        await show(TextUpdate(text: text, tokens: token.index..<token.index + 1, cause: .token))
      }
    } catch {
      failure = error
    }
    return StreamEnd(error: failure, isCancelled: Task.isCancelled)
  }
}
