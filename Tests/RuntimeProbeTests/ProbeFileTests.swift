import Glibc
import RuntimeProbe
import Testing

extension RuntimeProbeTests {
  @Suite("The probe's file")
  final class File {
    private let directory: String

    init() throws {
      var template = Array("/tmp/weir-probe-XXXXXX".utf8CString)
      let made = try #require(mkdtemp(&template))
      directory = String(cString: made)
    }

    deinit {
      for name in ["probe", "cut", "junk", "empty", "changed"] { unlink(directory + "/" + name) }
      rmdir(directory)
    }

    private func bytes(of path: String) throws -> [UInt8] {
      let file = try #require(fopen(path, "rb"))
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 16_000_000)
      bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
      return bytes
    }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
      let path = directory + "/" + name
      let file = try #require(fopen(path, "wb"))
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      fclose(file)
      return path
    }

    private func probed() throws -> String {
      let path = directory + "/probe"
      try Probe.start(mode: .classifying, file: path)
      return path
    }

    @Test("says what the probe itself says")
    func counts() async throws {
      let path = try probed()
      let before = try ProbeFile.read(path).counts
      _ = await measure(tag: 3001, KnownWorkload.all[0].run)
      let counts = try ProbeFile.read(path).counts.since(before)
      #expect(counts.actor("Tally")?.hops == 10_000)
      #expect(counts.actor("Tally")?.fast == 10_000)
      #expect(counts.mode == .classifying)
      #expect(try ProbeFile.read(path).process == getpid())
    }

    @Test("keeps what was counted before it was opened")
    func carriedOver() async throws {
      try Probe.start(mode: .classifying)
      _ = await measure(tag: 3002, KnownWorkload.all[0].run)
      let before = Probe.readCounts().actor("Tally")?.hops
      #expect(try ProbeFile.read(probed()).counts.actor("Tally")?.hops == before)
    }

    @Test("carries the progress of the run")
    func progress() throws {
      let path = try probed()
      var block = ProgressBlock()
      block.phase = "a phase with a name that is far too long for it — é"
      block.planned = 10
      block.started = 9
      block.completed = 5
      block.failed = 2
      block.cancelled = 1
      block.dropped = 1
      block.queued = 3
      block.inFlight = 4
      block.virtualNow = -5
      block.cellTime = 6
      block.plannedEnd = 7
      block.store()
      let read = try ProbeFile.readProgress(path)
      #expect(read == (try ProbeFile.read(path).progress))
      #expect(read.phase == "a phase with a name that is far")
      #expect(read.planned == 10 && read.started == 9 && read.completed == 5 && read.failed == 2)
      #expect(read.cancelled == 1 && read.dropped == 1 && read.queued == 3 && read.inFlight == 4)
      #expect(read.virtualNow == -5 && read.cellTime == 6 && read.plannedEnd == 7)
      #expect(read.lastProgress > 0 && read.process == getpid() && !read.isTorn)
      block.store()
      #expect(try ProbeFile.readProgress(path).lastProgress > read.lastProgress)
    }

    @Test("is refused when it is cut off, at any length")
    func truncated() throws {
      let whole = try bytes(of: probed())
      for length in [8, 9, 100, 4096, 8191, 100_000, whole.count - 1] {
        let path = try write(Array(whole.prefix(length)), to: "cut")
        #expect(throws: ProbeFileError.self) { try ProbeFile.read(path) }
      }
      #expect(
        throws: ProbeFileError.truncated(path: directory + "/cut", expected: whole.count, found: 50_000)
      ) {
        try ProbeFile.read(write(Array(whole.prefix(50_000)), to: "cut"))
      }
    }

    @Test("is refused when it is something else")
    func otherFiles() throws {
      let junk = try write((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: "junk")
      #expect(throws: ProbeFileError.notAProbeFile(path: junk)) { try ProbeFile.read(junk) }
      let empty = try write([], to: "empty")
      #expect(throws: ProbeFileError.notAProbeFile(path: empty)) { try ProbeFile.readProgress(empty) }
      #expect(throws: ProbeFileError.notAProbeFile(path: directory)) { try ProbeFile.read(directory) }
      let none = directory + "/none"
      #expect(throws: ProbeFileError.cannotOpen(path: none, errorNumber: ENOENT)) { try ProbeFile.read(none) }
    }

    @Test("is refused when its header is of another version, byte order or layout")
    func otherHeaders() throws {
      let whole = try bytes(of: probed())
      var version = whole
      version[8] = 99
      let path = try write(version, to: "changed")
      #expect(throws: ProbeFileError.otherVersion(path: path, found: 99)) { try ProbeFile.read(path) }
      var order = whole
      order.replaceSubrange(12..<16, with: whole[12..<16].reversed())
      _ = try write(order, to: "changed")
      #expect(throws: ProbeFileError.otherByteOrder(path: path)) { try ProbeFile.read(path) }
      for byte in 16..<72 {
        var layout = whole
        layout[byte] = layout[byte] ^ 0xFF
        _ = try write(layout, to: "changed")
        #expect(throws: ProbeFileError.self, "byte \(byte)") { try ProbeFile.read(path) }
      }
    }

    @Test("that cannot be made is an absence with its path and reason")
    func notMade() {
      #expect(throws: ProbeAbsence.self) { try Probe.open(file: directory + "/no/such/place") }
    }
  }
}
