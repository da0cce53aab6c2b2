// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Folder = target. Arrows point downwards only; nothing under load knows of the harness.

// jemalloc cannot stand beside a sanitizer's allocator: WEIR_WITHOUT_JEMALLOC=1 builds without it.
let hasJemalloc = ProcessInfo.processInfo.environment["WEIR_WITHOUT_JEMALLOC"] == nil

// The probe's hooks are on every switch; without frame pointers they take a third fewer instructions. Only
// scripts/build-static asks for it: with flags of its own the probe could not be anybody's dependency.
let isFrameless = ProcessInfo.processInfo.environment["WEIR_FRAMELESS_PROBE"] != nil
let frameless: [CSetting] = isFrameless ? [.unsafeFlags(["-Xclang", "-mframe-pointer=none"])] : []

let pipelines: [Target] = [
  .target(name: "Flowline"),
  .target(name: "FlawedFlows", dependencies: ["Flowline"]),
  .target(name: "LiveFeeds"),
  .target(name: "FlawedFeeds", dependencies: ["LiveFeeds"]),
  .target(name: "StoryPipeline"),
  .target(name: "FlawedStories", dependencies: ["StoryPipeline"]),
  .target(name: "TokenStreaming"),
  .target(name: "FlawedTokens", dependencies: ["TokenStreaming"]),
]

let leaves: [Target] = [
  .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
  .systemLibrary(name: "CFyaml", pkgConfig: "libfyaml", providers: [.apt(["libfyaml-dev"])]),
  .target(
    name: "CRuntimeProbe", exclude: ["RUNTIME-FACTS.md", "wrapped-symbols.txt"], cSettings: frameless),
  .target(name: "CProbeRecording", dependencies: ["CRuntimeProbe"]),
  // The sources of the two above once more, as a library that needs nothing but the C library: no Swift target
  // depends on it, and the flags keep the linker from adding the Swift runtime.
  .target(
    name: "CProbePreload",
    cSettings: [
      .headerSearchPath("../CProbeRecording/include"), .headerSearchPath("../CRuntimeProbe/include"),
    ],
    linkerSettings: [.unsafeFlags(["-nostartfiles", "-enable-experimental-feature", "Embedded"])]),
  .target(name: "CDeterminism"),
  .target(name: "Measurement"),
  .target(name: "SeededDraws"),
]

let harness: [Target] = [
  .target(name: "WorkloadInterface", dependencies: ["Measurement", "SeededDraws"]),
  .target(name: "RunRecords", dependencies: ["Measurement", "WorkloadInterface"]),
  .target(name: "Scenarios", dependencies: ["CFyaml", "RunRecords", "SeededDraws", "WorkloadInterface"]),
  .target(name: "VirtualTime", dependencies: ["CDeterminism"]),
  .target(name: "RuntimeProbe", dependencies: ["CRuntimeProbe", "Measurement"]),
  .target(name: "Timeline", dependencies: ["RuntimeProbe"]),
  hasJemalloc
    ? .target(name: "HeapProbe", dependencies: ["CJemalloc"])
    : .target(name: "HeapProbe", swiftSettings: [.define("WEIR_WITHOUT_JEMALLOC")]),
  .target(name: "ProviderScripts", dependencies: ["Measurement", "SeededDraws", "WorkloadInterface"]),
  .target(name: "LoadGeneration", dependencies: ["Measurement", "SeededDraws", "WorkloadInterface"]),
  .target(
    name: "RunEngine",
    dependencies: [
      "HeapProbe", "LoadGeneration", "Measurement", "RunRecords", "RuntimeProbe", "Scenarios", "SeededDraws",
      "VirtualTime", "WorkloadInterface",
    ]),
  .target(name: "Gates", dependencies: ["Measurement", "RunRecords", "WorkloadInterface"]),
  .target(name: "Reports", dependencies: ["Measurement", "RunRecords", "WorkloadInterface"]),
  .target(
    name: "BuiltInWorkloads",
    dependencies: [
      "FlawedFeeds", "FlawedFlows", "FlawedStories", "FlawedTokens", "Flowline", "LiveFeeds",
      "Measurement", "ProviderScripts", "SeededDraws", "StoryPipeline", "TokenStreaming",
      "WorkloadInterface",
    ]),
  .target(
    name: "WeirCLI",
    dependencies: [
      "Gates", "Measurement", "Reports", "RunEngine", "RunRecords", "RuntimeProbe", "Scenarios",
      "Timeline", "VirtualTime", "WorkloadInterface",
    ]),
]

let programs: [Target] = [
  .executableTarget(name: "weir", dependencies: ["BuiltInWorkloads", "WeirCLI"]),
  .executableTarget(
    name: "weir-bench",
    dependencies: ["Measurement", "RuntimeProbe", "SeededDraws", "StoryPipeline"]),
  .executableTarget(
    name: "virtual-time-fixture", dependencies: ["CDeterminism", "VirtualTime"],
    path: "Tests/Fixtures/VirtualTimeFixture"),
  .executableTarget(
    name: "crashing-tool", dependencies: ["WeirCLI", "WorkloadInterface"],
    path: "Tests/Fixtures/CrashingTool"),
  .executableTarget(name: "recorded-program", path: "Tests/Fixtures/RecordedProgram"),
  .executableTarget(
    name: "probe-fixture",
    dependencies: ["CDeterminism", "HeapProbe", "Measurement", "RuntimeProbe", "SeededDraws", "VirtualTime"],
    path: "Tests/Fixtures/ProbeFixture"),
]

let tests: [Target] = [
  .testTarget(name: "FlowlineTests", dependencies: ["FlawedFlows", "Flowline"]),
  .testTarget(name: "LiveFeedsTests", dependencies: ["FlawedFeeds", "LiveFeeds"]),
  .testTarget(name: "StoryPipelineTests", dependencies: ["FlawedStories", "StoryPipeline"]),
  .testTarget(name: "TokenStreamingTests", dependencies: ["FlawedTokens", "TokenStreaming"]),
  .testTarget(name: "MeasurementTests", dependencies: ["Measurement"]),
  .testTarget(name: "SeededDrawsTests", dependencies: ["SeededDraws"]),
  .testTarget(
    name: "VirtualTimeTests", dependencies: ["CDeterminism", "VirtualTime", "virtual-time-fixture"]),
  .testTarget(
    name: "ProviderScriptsTests",
    dependencies: ["Measurement", "ProviderScripts", "SeededDraws", "WorkloadInterface"]),
  .testTarget(
    name: "LoadGenerationTests",
    dependencies: ["LoadGeneration", "Measurement", "SeededDraws", "WorkloadInterface"]),
  .testTarget(
    name: "RuntimeProbeTests",
    dependencies: ["CRuntimeProbe", "RunEngine", "RuntimeProbe", "WorkloadInterface", "probe-fixture"]),
  .testTarget(name: "TimelineTests", dependencies: ["RuntimeProbe", "Timeline"]),
  .testTarget(name: "HeapProbeTests", dependencies: ["HeapProbe"]),
  .testTarget(
    name: "GatesTests", dependencies: ["Gates", "Measurement", "RunRecords", "WorkloadInterface"]),
  .testTarget(
    name: "ReportsTests", dependencies: ["Measurement", "Reports", "RunRecords", "WorkloadInterface"]),
  .testTarget(name: "RunRecordsTests", dependencies: ["RunRecords", "WorkloadInterface"]),
  .testTarget(
    name: "ScenariosTests",
    dependencies: ["RunRecords", "Scenarios", "SeededDraws", "WorkloadInterface"]),
  .testTarget(
    name: "BuiltInWorkloadsTests",
    dependencies: [
      "BuiltInWorkloads", "FlawedFeeds", "FlawedFlows", "FlawedStories", "FlawedTokens", "Flowline",
      "LiveFeeds", "Measurement", "SeededDraws", "StoryPipeline", "TokenStreaming", "WorkloadInterface",
    ]),
  .testTarget(
    name: "WeirCLITests",
    dependencies: [
      "Measurement", "Reports", "RunEngine", "RunRecords", "RuntimeProbe", "Scenarios", "WeirCLI",
      "WorkloadInterface", "crashing-tool",
    ]),
  .testTarget(
    name: "AcceptanceTests",
    dependencies: [
      "Measurement", "Reports", "RunRecords", "Scenarios", "SeededDraws", "WorkloadInterface",
      "recorded-program",
      "weir",
    ]),
  .testTarget(
    name: "RunEngineTests",
    dependencies: [
      "HeapProbe", "Measurement", "RunEngine", "RunRecords", "RuntimeProbe", "Scenarios", "SeededDraws",
      "WorkloadInterface",
    ]),
]

let package = Package(
  name: "weir",
  products: [
    .executable(name: "weir", targets: ["weir"]),
    .library(name: "Flowline", targets: ["Flowline"]),
    .library(name: "LiveFeeds", targets: ["LiveFeeds"]),
    // Preloaded into a program by `weir record`.
    .library(name: "weir-probe", type: .dynamic, targets: ["CProbePreload"]),
    // Built into a program that takes no preload.
    .library(name: "WeirRecording", targets: ["CProbeRecording"]),
    .library(name: "StoryPipeline", targets: ["StoryPipeline"]),
    .library(name: "TokenStreaming", targets: ["TokenStreaming"]),
    .library(
      name: "WeirCLI",
      targets: ["WeirCLI", "WorkloadInterface", "ProviderScripts", "SeededDraws", "Measurement"]),
  ],
  targets: pipelines + leaves + harness + programs + tests,
  swiftLanguageModes: [.v6]
)

// Strict settings, for every Swift target alike.
for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
