/// Weir's version.
enum WeirVersion {
  /// The version of this build.
  static let current = "0.1.0"
}
