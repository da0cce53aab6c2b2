/// What the trace of a cell came to. A cell that has one was disturbed by it.
package struct TraceRecord: Sendable, Codable, Equatable {
  /// Events that the timeline is made of.
  package var events: Int
  /// Events that found no room or came after the first of these: the timeline does not have them.
  package var lost: Int
  /// Until when the timeline is whole, in ns from its first event.
  package var length: Int64
  /// Why there is no timeline, or what is missing at its end; absent where nothing is.
  package var note: String?
  /// Which of its files could not be written, and why; absent where all were.
  package var failure: String?

  /// Makes a record.
  package init(events: Int, lost: Int, length: Int64, note: String? = nil, failure: String? = nil) {
    self.events = events
    self.lost = lost
    self.length = length
    self.note = note
    self.failure = failure
  }
}
