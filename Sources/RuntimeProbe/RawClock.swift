internal import CRuntimeProbe

extension Probe {
  /// CLOCK_MONOTONIC as the kernel has it, in ns, whoever answers `clock_gettime` in this process.
  package static func rawMonotonic() -> Int64 { crp_raw_monotonic() }
}
