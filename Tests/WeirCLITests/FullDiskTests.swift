import Foundation
import Glibc
import RunRecords
import Testing

@testable import WeirCLI

/// Small disks of a test's own: mounts that nobody else sees and that end with the shell that made them.
enum SmallDisk {
  /// How to get mounts of one's own: as root, or in a user's own namespace where the system lets one.
  private static let unshare: [String]? = {
    for options in [["--mount"], ["--user", "--map-root-user", "--mount"]]
    where (try? shell("mount -t tmpfs tmpfs /mnt", options).code) == 0 { return options }
    return nil
  }()

  /// Whether this machine lets a test mount anything.
  static let arePossible = unshare != nil

  /// Runs a script in `directory` with a disk of these mount options at `disk/`; what it leaves elsewhere stays.
  static func run(_ script: String, options: String, in directory: String) throws -> BuiltTool.Outcome {
    try FileSystem.makeDirectory(directory + "/disk")
    let mount = "cd '\(directory)' && mount -t tmpfs -o \(options) tmpfs disk || exit 99\n"
    return try shell(mount + "weir='\(BuiltTool.path ?? "")'\n" + script, unshare ?? [])
  }

  private static func shell(_ script: String, _ options: [String]) throws -> BuiltTool.Outcome {
    try BuiltTool.run(options + ["/bin/sh", "-c", script], tool: "/usr/bin/unshare")
  }
}

@Suite(
  "Disks that are full, and places that cannot be written", .enabled(if: BuiltTool.path != nil), .serialized)
struct FullDiskTests {
  private static let small = """
    name: small
    pipeline: registry
    clock: [virtual, real]
    load: { model: closed, users: 1, iterations: 2 }
    gates: [ hops > 0 ]
    """
  /// Without the line ends that fit a summary to its width.
  private static func unwrapped(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether what is preloaded into programs lies beside the tool.
  private static let hasProbe =
    BuiltTool.path.map { FileSystem.kind(FileSystem.directory(of: $0) + "/libweir-probe.so") == .file }
    ?? false
  private static let mountable: Comment = "this machine lets no test mount a disk"

  @Test(
    "A file that may not grow makes the run invalid: which file, why, and what to do; no signal ends anything"
  )
  func limited() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      // No root is needed for this limit; the probe's file is the largest by far.
      let script = "ulimit -f 1024; exec '\(BuiltTool.path ?? "")' run scenario.yaml --out out --quiet"
      let run = try BuiltTool.run(["-c", script], in: directory, tool: "/bin/sh")
      #expect(run.code == ExitCode.invalid.rawValue, "\(run.output)\(run.errors)")
      #expect(run.output.hasSuffix("\nverdict: invalid\n"))
      let said = Self.unwrapped(run.output)
      #expect(said.contains("cannot write cells/001.probe: File too large; make room there"))
      #expect(said.contains("cannot write cells/002.probe"))
      #expect(!run.output.contains("FAIL"))
      #expect(try FileSystem.read(directory + "/out/verdict.txt") == "invalid\n")
      let record = try RunDirectory.read(directory + "/out/run.json")
      #expect(record.cells.map(\.verdict) == [.invalid, .invalid])
      #expect(record.gates.allSatisfy { !$0.isJudged })
    }
  }

  @Test(
    "Wherever the disk is full, the run is invalid and says which file could not be written",
    .enabled(if: SmallDisk.arePossible, mountable),
    arguments: [
      // Room for nothing, for the first record alone, for all but the probe's file.
      ("size=4k,nr_inodes=3", "cannot write disk/out/run.json"), ("size=8k", "cannot"),
      ("size=4m", "cannot write cells/001.probe"),
      // Room for all bytes, and not for all files.
      ("size=40m,nr_inodes=5", "cannot write"), ("size=40m,nr_inodes=7", "cannot write"),
      ("size=40m,nr_inodes=9", "cannot write"), ("size=40m,nr_inodes=12", "cannot write"),
      ("size=40m,nr_inodes=14", "report.html"),
    ])
  func full(options: String, words: String) throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let script = "$weir run scenario.yaml --out disk/out --quiet; code=$?; cp -r disk/out kept; exit $code"
      let run = try SmallDisk.run(script, options: options, in: directory)
      #expect(run.code == ExitCode.invalid.rawValue, "\(run.output)\(run.errors)")
      #expect(run.output.hasSuffix("verdict: invalid\n"), "\(run.output)\(run.errors)")
      let said = Self.unwrapped(run.output + run.errors)
      #expect(said.contains(words) && said.contains("No space left on device; make room there"), "\(said)")
      // What is there says nothing else, but for a first record that could not be replaced.
      let word = try? FileSystem.read(directory + "/kept/verdict.txt")
      #expect(word == nil || word == "invalid\n")
    }
  }

  @Test(
    "A disk that fills in the middle of a run ends it as invalid, and what was measured before is printed",
    .enabled(if: SmallDisk.arePossible, mountable))
  func fills() throws {
    let scenario = Self.small + "\nrepetitions: 300\n"
    try BuiltTool.withScenario(scenario) { directory in
      let script = """
        $weir run scenario.yaml --out disk/out --quiet & weir=$!
        while kill -0 $weir && ! [ -e disk/out/cells/007.result.json ]; do sleep 0.05; done
        dd if=/dev/zero of=disk/filler bs=64k 2>/dev/null
        wait $weir
        """
      let run = try SmallDisk.run(script, options: "size=32m", in: directory)
      #expect(run.code == ExitCode.invalid.rawValue, "\(run.output)\(run.errors)")
      #expect(Self.unwrapped(run.output).contains("No space left on device; make room there"))
      #expect(run.output.contains("of 600 cells"))
      #expect(run.output.hasSuffix("\nverdict: invalid\n"))
    }
  }

  @Test(
    "When there is room again, a report makes the run's files out of what is there",
    .enabled(if: SmallDisk.arePossible, mountable))
  func reportAfterwards() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let script = """
        $weir run scenario.yaml --out disk/out --quiet; first=$?
        mount -o remount,nr_inodes=100 disk
        $weir report disk/out; echo "codes $first $?"; ls disk/out
        """
      let run = try SmallDisk.run(script, options: "size=40m,nr_inodes=14", in: directory)
      #expect(run.output.contains("verdict: passed\ncodes 6 0\n"), "\(run.output)\(run.errors)")
      #expect(run.output.contains("report.html") && !run.output.hasSuffix("cells\n"))
    }
  }

  @Test(
    "A place that nothing can be written to is refused before anything runs; reading a run there is not",
    .enabled(if: SmallDisk.arePossible, mountable))
  func readOnly() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let script = """
        $weir run scenario.yaml --out disk/out --quiet >/dev/null
        mount -o remount,ro disk
        for place in disk/out disk/new disk/out/deep; do $weir run scenario.yaml --out $place; echo "run $?"; done
        $weir run scenario.yaml --out here --save-baseline disk/kept; echo "baseline $?"
        $weir record --out disk/rec -- /bin/true; echo "record $?"
        $weir report disk/out; echo "report $?"
        """
      let run = try SmallDisk.run(script, options: "size=40m", in: directory)
      #expect(run.output.components(separatedBy: "run 64\n").count == 4, "\(run.output)\(run.errors)")
      #expect(run.errors.components(separatedBy: "Read-only file system: choose another --out").count == 4)
      #expect(run.output.contains("baseline 64\n") && run.output.contains("record 125\n"))
      #expect(run.output.contains("verdict: passed\nreport 1\n"))
      #expect(run.errors.contains("the files in disk/out are not those of this summary"))
    }
  }

  @Test(
    "What is asked for beside the run and cannot be written is told, and costs the run nothing",
    .enabled(if: SmallDisk.arePossible, mountable))
  func beside() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let script = """
        mkdir disk/kept; dd if=/dev/zero of=disk/filler bs=4k count=1020 2>/dev/null
        $weir run scenario.yaml --out out --quiet --trace disk/t; echo "trace $?"
        $weir run scenario.yaml --out out --quiet --pprof disk/p; echo "pprof $?"
        dd if=/dev/zero of=disk/filler2 bs=1k 2>/dev/null
        $weir run scenario.yaml --out out --quiet --save-baseline disk/kept; echo "baseline $?"
        cat out/verdict.txt
        """
      let run = try SmallDisk.run(script, options: "size=4m", in: directory)
      for word in ["trace 1\n", "baseline 64\n", "verdict: passed\n"] {
        #expect(run.output.contains(word), "\(word) in \(run.output)\(run.errors)")
      }
      #expect(run.errors.contains("cannot write disk/t: No space left on device"))
      #expect(run.errors.contains("No space left on device: choose another --save-baseline"))
      #expect(run.output.hasSuffix("passed\n"))
    }
  }

  @Test(
    "Raw events that find no room cost the timeline, which is told, and not the run",
    .enabled(if: SmallDisk.arePossible, mountable))
  func rawEvents() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let script = """
        $weir run scenario.yaml --out disk/out --quiet --trace t --trace-cell virtual; echo "code $?"
        cat disk/out/verdict.txt
        """
      let run = try SmallDisk.run(script, options: "size=24m", in: directory)
      #expect(run.output.hasSuffix("code 1\npassed\n"), "\(run.output)\(run.errors)")
      #expect(run.errors.contains("cannot write cells/001.trace: No space left on device"))
    }
  }

  @Test(
    "A recorded program runs to its end whatever room there is, and the recording says what it lacks",
    .enabled(if: SmallDisk.arePossible && hasProbe, mountable),
    arguments: ["size=64k", "size=1m", "size=12m"])
  func recorded(options: String) throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let program = BuiltTool.besideTests("recorded-program")
      let script = "$weir record --out disk/rec -- '\(program)' hops; echo code $?; cat disk/rec/verdict.txt"
      let plain = try BuiltTool.run(["hops"], in: directory, tool: program)
      let run = try SmallDisk.run(script, options: options, in: directory)
      #expect(run.output.contains("code \(plain.code)\n"), "\(run.output)\(run.errors)")
      #expect(run.errors.contains("verdict: invalid") || run.errors.contains("recorded"), "\(run.errors)")
      if run.output.hasSuffix("passed\n") { #expect(options == "size=12m") }
    }
  }
}
