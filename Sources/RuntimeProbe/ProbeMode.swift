package import CRuntimeProbe

/// What the probe counts.
package enum ProbeMode: Sendable {
  /// Hops, `same` switches and tasks. For virtual time, where an outcome of a switch means nothing.
  case counting
  /// The same, and every other switch told apart as fast or slow. Costs more for each switch.
  case classifying

  package var cValue: crp_mode {
    switch self {
    case .counting: CRP_MODE_COUNTING
    case .classifying: CRP_MODE_CLASSIFYING
    }
  }
}

/// What a count can see. Counts of different coverage are never compared.
package enum ProbeCoverage: String, Sendable, Hashable {
  /// Calls that the program's own code makes into the runtime.
  case userCode = "user-code"
  /// Those between the parts of the runtime as well.
  case wholeRuntime = "whole-runtime"

  package init?(linking: UInt32) {
    switch crp_linking_kind(rawValue: linking) {
    case CRP_LINKING_INTERPOSED: self = .userCode
    case CRP_LINKING_WRAPPED: self = .wholeRuntime
    default: return nil
    }
  }
}

/// Why the probe, or one family of its metrics, is absent: words for the report.
package struct ProbeAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  package var reason: String
  /// The system's error number where a file is the reason.
  package var errorNumber: Int32?

  package init(_ reason: String, errorNumber: Int32? = nil) {
    self.reason = reason
    self.errorNumber = errorNumber
  }

  package var description: String { reason }
}
