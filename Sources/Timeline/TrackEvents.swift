/// One entry of a track before it is written.
struct TrackEntry {
  enum Kind {
    case begin(depth: Int)
    case end(depth: Int)
    case instant
    case level(Int64)
  }

  var kind: Kind
  var time: Int64
  /// Of the event that it comes from; with the kind's rank it orders entries of one time.
  var order: Int
  var track: UInt64
  var name = ""
  var category = ""
  var notes: [Note] = []
  /// Hops that begin at this slice, and the one that leads here.
  var flowsOut: [UInt64] = []
  var flowIn: UInt64?

  /// A detail of an entry.
  struct Note {
    enum Value {
      case number(Int64)
      case text(String)
    }
    var name: String
    var value: Value
  }

  /// Ends come before begins, inner ends before outer ones, outer begins before inner ones.
  var rank: Int {
    switch kind {
    case .end(let depth): 3 - depth
    case .instant, .level: 4
    case .begin(let depth): 5 + depth
    }
  }

  static func comesBefore(_ one: TrackEntry, _ other: TrackEntry) -> Bool {
    (one.time, one.order, one.rank) < (other.time, other.order, other.rank)
  }
}
