package import RuntimeProbe

/// A trace summed up as a profile of `profile.proto`, for `go tool pprof`, speedscope and Perfetto: of each function on
/// an actor how often tasks hopped there, how often they stayed, and how long they held it.
///
/// Frames, outermost first: the actor's role where it has one, the actor's type, where the hop came from, the function.
/// Hops away from all actors go onto `no actor`, whose stays hold nothing and are not counted as holds.
package struct StackProfile {
  private struct Key: Hashable {
    var frames: [String]
  }

  private struct Sums {
    var hops: Int64 = 0
    var holds: Int64 = 0
    var held: Int64 = 0
  }

  private var strings: [String] = [""]
  private var numbers: [String: Int] = ["": 0]
  private var locations: [String: UInt64] = [:]
  private var message = ProtobufMessage()

  /// The bytes, not compressed: readers take both.
  ///
  /// - Parameter roles: Of actor types, by unqualified name.
  package static func bytes(
    _ model: TimelineModel, of recording: TraceRecording, names: FunctionNames, roles: [String: String],
    title: String
  ) -> [UInt8] {
    var profile = StackProfile()
    profile.write(sums(model, names, roles), model, recording, title)
    return profile.message.bytes
  }

  private static func sums(
    _ model: TimelineModel, _ names: FunctionNames, _ roles: [String: String]
  ) -> [(Key, Sums)] {
    var sums: [Key: Sums] = [:]
    for (index, stay) in model.stays.enumerated() {
      let type = stay.actor.map { model.actors[$0].type }
      if type == nil, stay.origin == nil { continue }
      var frames: [String] = []
      if let type {
        let role = roles[type] ?? type.split(separator: ".").last.flatMap { roles[String($0)] }
        if let role { frames.append("role \(role)") }
      }
      frames.append(type ?? "no actor")
      if let origin = stay.origin {
        frames.append("from \(model.stays[origin].actor.map { model.actors[$0].type } ?? "no actor")")
      }
      if let function = names.function(of: index, in: model) { frames.append(function) }
      var sum = sums[Key(frames: frames)] ?? Sums()
      if stay.origin != nil { sum.hops += 1 }
      if type != nil {
        sum.holds += 1
        sum.held += stay.end - stay.start
      }
      sums[Key(frames: frames)] = sum
    }
    return sums.sorted { $0.key.frames.lexicographicallyPrecedes($1.key.frames) }
  }

  // MARK: profile.proto

  private mutating func write(
    _ sums: [(Key, Sums)], _ model: TimelineModel, _ recording: TraceRecording, _ title: String
  ) {
    for (type, unit) in [("hops", "count"), ("holds", "count"), ("hold", "nanoseconds")] {
      let value = valueType(type, unit)
      message.put(1, value)
    }
    for (key, sum) in sums {
      // The innermost frame comes first.
      let stack = key.frames.reversed().map { location($0) }
      message.put(2) { sample in
        sample.put(1, packed: stack)
        sample.put(2, packed: [sum.hops, sum.holds, sum.held].map(UInt64.init(bitPattern:)))
      }
    }
    for (frame, id) in locations.sorted(by: { $0.value < $1.value }) {
      message.put(4) { location in
        location.put(1, id)
        location.put(4) { $0.put(1, id) }
      }
      let name = UInt64(string(frame))
      message.put(5) { function in
        function.put(1, id)
        function.put(2, name)
        function.put(3, name)
      }
    }
    if !recording.isVirtual { message.put(9, model.start + recording.realOffset) }
    message.put(10, model.end - model.start)
    let notes = ["weir: \(title)"] + TraceNotes.notes(recording, model).map(\.text)
    for note in notes { message.put(13, UInt64(string(note))) }
    message.put(14, UInt64(string(recording.isVirtual ? "hops" : "hold")))
    for text in strings { message.put(6, text) }
  }

  private mutating func valueType(_ type: String, _ unit: String) -> ProtobufMessage {
    var value = ProtobufMessage()
    value.put(1, UInt64(string(type)))
    value.put(2, UInt64(string(unit)))
    return value
  }

  private mutating func location(_ frame: String) -> UInt64 {
    if let known = locations[frame] { return known }
    locations[frame] = UInt64(locations.count + 1)
    return UInt64(locations.count)
  }

  private mutating func string(_ text: String) -> Int {
    let text = TrackText.cleaned(text)
    if let known = numbers[text] { return known }
    numbers[text] = strings.count
    strings.append(text)
    return strings.count - 1
  }
}
