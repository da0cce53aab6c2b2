/// Writes packets of Perfetto's trace format: tracks first, then entries in order of time. Names are interned.
struct PerfettoWriter {
  private(set) var trace = ProtobufMessage()
  private var names: [String: UInt64] = [:]
  private var categories: [String: UInt64] = [:]
  private var noteNames: [String: UInt64] = [:]

  /// Field numbers of `perfetto.protos`.
  private enum Field {
    enum Packet {
      static let clockSnapshot = 6, timestamp = 8, sequence = 10, trackEvent = 11, interned = 12
      static let sequenceFlags = 13, clock = 58, defaults = 59, trackDescriptor = 60, isFirst = 87
    }
    enum Event {
      static let categoryIDs = 3, notes = 4, type = 9, nameID = 10, track = 11, counter = 30, flows = 47
      static let terminatingFlows = 48
    }
  }

  private enum EventType {
    static let begin: UInt64 = 1, end: UInt64 = 2, instant: UInt64 = 3, counter: UInt64 = 4
  }

  /// Numbers of clocks.
  enum Clock {
    static let realtime: UInt64 = 1, monotonic: UInt64 = 3, boottime: UInt64 = 6
  }

  private static let sequence: UInt64 = 1

  /// Begins: from here on times are of `clock`; `moments` are the readings of several clocks at one time.
  init(clock: UInt64, moments: [(clock: UInt64, time: Int64)]) {
    if !moments.isEmpty {
      packet { packet in
        packet.put(Field.Packet.clockSnapshot) { snapshot in
          for moment in moments {
            snapshot.put(1) { clock in
              clock.put(1, moment.clock)
              clock.put(2, UInt64(bitPattern: moment.time))
            }
          }
          snapshot.put(2, Clock.boottime)
        }
      }
    }
    packet { packet in
      packet.put(Field.Packet.isFirst, UInt64(1))
      packet.put(Field.Packet.sequence, Self.sequence)
      // The interned names begin anew; what follows needs them.
      packet.put(Field.Packet.sequenceFlags, UInt64(3))
      packet.put(Field.Packet.defaults) { $0.put(Field.Packet.clock, clock) }
    }
  }

  private mutating func packet(_ write: (inout ProtobufMessage) -> Void) { trace.put(1, write) }

  // MARK: Tracks

  /// Declares a track.
  mutating func declare(_ track: TrackDeclaration) {
    packet { packet in
      packet.put(Field.Packet.sequence, Self.sequence)
      packet.put(Field.Packet.trackDescriptor) { track.write(to: &$0) }
    }
  }

  // MARK: Entries

  /// Writes an entry.
  mutating func put(_ entry: TrackEntry) {
    var interned = ProtobufMessage()
    var event = ProtobufMessage()
    switch entry.kind {
    case .begin: event.put(Field.Event.type, EventType.begin)
    case .end: event.put(Field.Event.type, EventType.end)
    case .instant: event.put(Field.Event.type, EventType.instant)
    case .level(let value):
      event.put(Field.Event.type, EventType.counter)
      event.put(Field.Event.counter, value)
    }
    event.put(Field.Event.track, entry.track)
    if !entry.name.isEmpty {
      event.put(Field.Event.nameID, Self.intern(TrackText.cleaned(entry.name), &names, 2, &interned))
    }
    if !entry.category.isEmpty {
      event.put(Field.Event.categoryIDs, Self.intern(entry.category, &categories, 1, &interned))
    }
    for note in entry.notes {
      let name = Self.intern(note.name, &noteNames, 3, &interned)
      event.put(Field.Event.notes) { message in
        message.put(1, name)
        switch note.value {
        case .number(let value): message.put(4, value)
        case .text(let text): message.put(6, TrackText.cleaned(text))
        }
      }
    }
    for flow in entry.flowsOut { event.put(Field.Event.flows, fixed: flow) }
    if let flow = entry.flowIn { event.put(Field.Event.terminatingFlows, fixed: flow) }
    packet { packet in
      packet.put(Field.Packet.timestamp, UInt64(bitPattern: max(0, entry.time)))
      packet.put(Field.Packet.sequence, Self.sequence)
      packet.put(Field.Packet.sequenceFlags, UInt64(2))
      if !interned.bytes.isEmpty { packet.put(Field.Packet.interned, interned) }
      packet.put(Field.Packet.trackEvent, event)
    }
  }

  private static func intern(
    _ text: String, _ known: inout [String: UInt64], _ field: Int, _ interned: inout ProtobufMessage
  ) -> UInt64 {
    if let number = known[text] { return number }
    let number = UInt64(known.count + 1)
    known[text] = number
    interned.put(field) { entry in
      entry.put(1, number)
      entry.put(2, text)
    }
    return number
  }
}

/// A track to be declared.
struct TrackDeclaration {
  enum Kind {
    case process(Int32, name: String)
    case thread(process: Int32, number: Int64, name: String)
    case counter(unit: String)
    case plain
  }

  var id: UInt64
  var parent: UInt64 = 0
  var name = ""
  var about = ""
  var kind: Kind = .plain
  /// Its place among its siblings.
  var rank = 0
  /// Whether its children stand by rank.
  var ordersChildren = false

  func write(to message: inout ProtobufMessage) {
    message.put(1, id)
    if parent != 0 { message.put(5, parent) }
    if !name.isEmpty { message.put(2, TrackText.cleaned(name)) }
    if !about.isEmpty { message.put(14, TrackText.cleaned(about)) }
    switch kind {
    case .process(let number, let name):
      message.put(3) { process in
        process.put(1, Int64(number))
        process.put(6, TrackText.cleaned(name))
      }
    case .thread(let process, let number, let name):
      message.put(4) { thread in
        thread.put(1, Int64(process))
        thread.put(2, number)
        thread.put(5, TrackText.cleaned(name))
      }
    case .counter(let unit):
      message.put(8) { $0.put(6, unit) }
    case .plain: break
    }
    if ordersChildren { message.put(11, UInt64(3)) }
    message.put(12, Int64(rank))
  }
}

/// Texts of other people's programs as they stand in a trace.
enum TrackText {
  private static let limit = 200

  /// In one line, without control characters, and not too long.
  static func cleaned(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x202E ~= scalar.value
      result.unicodeScalars.append(isControl ? " " : scalar)
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
  }
}
