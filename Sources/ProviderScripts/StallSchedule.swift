import WorkloadInterface

/// The windows in which a provider answers nothing.
struct StallSchedule: Sendable {
  private let windows: [StallWindow]

  init(_ windows: [StallWindow]) { self.windows = windows.sorted { $0.at < $1.at } }

  /// The time itself, or the end of the window (or run of windows) that it lies in.
  func outside(_ time: Int64) -> Int64 {
    var time = time
    for window in windows where window.at <= time && time < window.at + window.duration {
      time = window.at + window.duration
    }
    return time
  }
}
