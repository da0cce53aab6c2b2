/// Reads the wire format back, knowing nothing of how it was written.
struct WireReader {
  /// A field's value.
  enum Value: Equatable {
    case number(UInt64)
    case bytes([UInt8])
  }

  private let fields: [(field: Int, value: Value)]

  /// Reads a message; nil if the bytes are none.
  init?(_ bytes: some Collection<UInt8>) {
    var fields: [(Int, Value)] = []
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      guard let key = Self.varint(&rest) else { return nil }
      switch key & 7 {
      case 0:
        guard let value = Self.varint(&rest) else { return nil }
        fields.append((Int(key >> 3), .number(value)))
      case 1:
        guard rest.count >= 8 else { return nil }
        let value = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        fields.append((Int(key >> 3), .number(value)))
      case 2:
        guard let count = Self.varint(&rest), count <= UInt64(rest.count) else { return nil }
        fields.append((Int(key >> 3), .bytes(Array(rest.prefix(Int(count))))))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
    self.fields = fields
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  func number(_ field: Int) -> UInt64? {
    for case (field, .number(let value)) in fields { return value }
    return nil
  }

  func numbers(_ field: Int) -> [UInt64] {
    fields.compactMap { entry in
      if case (field, .number(let value)) = entry { value } else { nil }
    }
  }

  func packed(_ field: Int) -> [UInt64] {
    guard var rest = bytes(field).first?[...] else { return [] }
    var values: [UInt64] = []
    while !rest.isEmpty, let value = Self.varint(&rest) { values.append(value) }
    return values
  }

  func bytes(_ field: Int) -> [[UInt8]] {
    fields.compactMap { entry in
      if case (field, .bytes(let bytes)) = entry { bytes } else { nil }
    }
  }

  func messages(_ field: Int) -> [WireReader] { bytes(field).compactMap { WireReader($0) } }

  func text(_ field: Int) -> String? { bytes(field).first.flatMap { String(validating: $0, as: UTF8.self) } }
}

/// A Perfetto trace as its readers see it.
struct DecodedTrace {
  struct Track {
    var name: String
    var parent: UInt64
    var isThread: Bool
    var isCounter: Bool
  }

  struct Slice {
    var track: UInt64
    var name: String
    var category: String
    var start: Int64
    var end: Int64
    var depth: Int
    var flowsOut: [UInt64]
    var flowsIn: [UInt64]
  }

  var tracks: [UInt64: Track] = [:]
  var slices: [Slice] = []
  var instants: [(track: UInt64, name: String, time: Int64)] = []
  var levels: [UInt64: [(time: Int64, value: Int64)]] = [:]
  /// What no reader could make sense of.
  var faults: [String] = []

  init(_ bytes: [UInt8]) {
    guard let trace = WireReader(bytes) else {
      faults.append("no message")
      return
    }
    var names: [UInt64: String] = [:]
    var categories: [UInt64: String] = [:]
    var open: [UInt64: [Int]] = [:]
    var last = Int64.min
    let packets = trace.messages(1)
    if packets.count != trace.bytes(1).count { faults.append("a packet is no message") }
    for packet in packets {
      for interned in packet.messages(12) {
        for entry in interned.messages(2) { names[entry.number(1) ?? 0] = entry.text(2) }
        for entry in interned.messages(1) { categories[entry.number(1) ?? 0] = entry.text(2) }
      }
      for track in packet.messages(60) { declare(track) }
      for event in packet.messages(11) {
        let time = Int64(bitPattern: packet.number(8) ?? 0)
        if time < last { faults.append("time goes back at \(time)") }
        last = time
        let track = event.number(11) ?? 0
        if tracks[track] == nil { faults.append("no track \(track)") }
        let id = event.number(10)
        if let id, names[id] == nil { faults.append("no name \(id)") }
        let name = id.flatMap { names[$0] } ?? ""
        switch event.number(9) {
        case 1:
          open[track, default: []].append(slices.count)
          slices.append(
            Slice(
              track: track, name: name, category: event.number(3).flatMap { categories[$0] } ?? "",
              start: time,
              end: .min, depth: open[track]?.count ?? 0, flowsOut: event.numbers(47),
              flowsIn: event.numbers(48)))
        case 2:
          if let slice = open[track]?.popLast() {
            slices[slice].end = time
          } else {
            faults.append("an end without a begin at \(time)")
          }
        case 3: instants.append((track, name, time))
        case 4: levels[track, default: []].append((time, Int64(bitPattern: event.number(30) ?? 0)))
        default: faults.append("an event of no type")
        }
      }
    }
    for slices in open.values where !slices.isEmpty { faults.append("\(slices.count) slices without an end") }
    checkFlows()
  }

  private mutating func declare(_ track: WireReader) {
    let id = track.number(1) ?? 0
    if tracks[id] != nil { faults.append("track \(id) twice") }
    let thread = track.messages(4).first
    let process = track.messages(3).first
    tracks[id] = Track(
      name: thread?.text(5) ?? process?.text(6) ?? track.text(2) ?? "", parent: track.number(5) ?? 0,
      isThread: thread != nil, isCounter: !track.bytes(8).isEmpty)
  }

  /// Every flow leads from one slice to one other, and never back in time.
  private mutating func checkFlows() {
    var starts: [UInt64: Int] = [:]
    for (index, slice) in slices.enumerated() {
      for flow in slice.flowsOut {
        if starts[flow] != nil { faults.append("flow \(flow) begins twice") }
        starts[flow] = index
      }
      for flow in slice.flowsIn {
        guard let origin = starts.removeValue(forKey: flow) else {
          faults.append("flow \(flow) ends before it begins")
          continue
        }
        if slices[origin].end > slice.start { faults.append("flow \(flow) leads back in time") }
      }
    }
    if !starts.isEmpty { faults.append("\(starts.count) flows without an end") }
  }

  func track(_ name: String) -> UInt64? { tracks.first { $0.value.name == name }?.key }
  func slices(on name: String) -> [Slice] { track(name).map { id in slices.filter { $0.track == id } } ?? [] }
  var threadSlices: [Slice] { slices.filter { tracks[$0.track]?.isThread == true } }
  var flows: Int { slices.reduce(0) { $0 + $1.flowsIn.count } }
}
