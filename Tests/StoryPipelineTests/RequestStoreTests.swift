import Foundation
import StoryPipeline
import Testing

@Suite("The stored request")
struct RequestStoreTests {
  private func withStore(_ body: (RequestStore, URL) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(RequestStore(path: directory.appendingPathComponent("request.json").path), directory)
  }

  @Test("what was written is read back, the newest whole, and nothing is left beside it")
  func roundTrip() async throws {
    try await withStore { store, directory in
      #expect(try await store.load() == nil)
      var request = GenerationRequest.sample
      try await store.save(request)
      request.selectedNames = [
        CharacterNameCandidate(
          id: CandidateID(.max), slot: 3, archetype: .mentor, name: CharacterName("Óda", explanation: "short")
        )
      ]
      try await store.save(request)
      #expect(try await store.load() == request)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["request.json"])
    }
  }

  @Test("a write that fails leaves the old request, and says what failed where")
  func failedWrite() async throws {
    try await withStore { store, directory in
      try await store.save(.sample)
      // The place beside is taken by a directory, so that it cannot be opened for writing.
      try FileManager.default.createDirectory(
        at: directory.appendingPathComponent("request.json.new"), withIntermediateDirectories: true)
      var other = GenerationRequest.sample
      other.setting = "elsewhere"
      let error = await #expect(throws: RequestStoreError.self) { try await store.save(other) }
      #expect(error?.code == .create)
      #expect(error?.path == store.path)
      #expect(try await store.load() == .sample)
    }
  }

  @Test("a file that is no request is refused")
  func junk() async throws {
    try await withStore { store, _ in
      try Data("not a request".utf8).write(to: URL(fileURLWithPath: store.path))
      let error = await #expect(throws: RequestStoreError.self) { _ = try await store.load() }
      #expect(error?.code == .decode)
    }
  }
}
