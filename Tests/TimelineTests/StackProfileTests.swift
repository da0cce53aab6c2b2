import RuntimeProbe
import Testing

@testable import Timeline

@Suite("Profiles")
struct StackProfileTests {
  @Test("Hops, holds and their time by role, type, origin and function")
  func sums() throws {
    var known = KnownEvents()
    for task in 1...3 { known.call(task: UInt64(task), actor: UInt64(task) * 0x1000, held: 100) }
    known.call(task: 4, actor: 0x9000, slot: 2, held: 70)
    let recording = known.recording()
    let model = recording.model
    let bytes = StackProfile.bytes(
      model, of: recording, names: FunctionNames(for: model, lookUp: KnownEvents.name),
      roles: ["Registry": "registry"], title: "cell")
    let profile = try #require(WireReader(bytes))
    let strings = profile.bytes(6).map { String(decoding: $0, as: UTF8.self) }
    #expect(strings.first == "")
    func text(_ number: UInt64?) -> String { number.map { strings[Int($0)] } ?? "" }
    let types = profile.messages(1).map { "\(text($0.number(1)))/\(text($0.number(2)))" }
    #expect(types == ["hops/count", "holds/count", "hold/nanoseconds"])
    let functions = Dictionary(
      uniqueKeysWithValues: profile.messages(5).map { ($0.number(1), text($0.number(2))) })
    let locations = Dictionary(
      uniqueKeysWithValues: profile.messages(4).map { location in
        (location.number(1), functions[location.messages(4).first?.number(1)])
      })
    var samples: [String: [UInt64]] = [:]
    for sample in profile.messages(2) {
      let stack = sample.packed(1).reversed().map { (locations[$0] ?? nil) ?? "?" }.joined(separator: ";")
      #expect(samples[stack] == nil)
      samples[stack] = sample.packed(2)
    }
    #expect(
      samples == [
        "Counter;from no actor;Counter.hit()": [3, 3, 300],
        "role registry;Registry;from no actor;Counter.hit()": [1, 1, 70],
        "no actor;from Counter;run()": [3, 0, 0],
        "no actor;from Registry;run()": [1, 0, 0],
      ])
    #expect(profile.numbers(13).map { text($0) }.contains { $0.hasPrefix("real time") })
    #expect(text(profile.number(14)) == "hold")
  }
}
