// Whether there is a jemalloc to ask. It cannot stand beside a sanitizer's own allocator, so the manifest leaves it
// out where WEIR_WITHOUT_JEMALLOC is in the environment.

#if WEIR_WITHOUT_JEMALLOC

  extension Mallctl {
    /// Why there are no controls at all.
    static let reasonForNone: String? = "built without jemalloc, as for a sanitizer"
    /// The number under which all arenas are added up.
    static let allArenas = 0
  }

  // In place of jemalloc's functions: every control is unknown.

  func mallctlnametomib(
    _ name: String, _ path: UnsafeMutablePointer<Int>?, _ length: UnsafeMutablePointer<Int>?
  ) -> Int32 { 1 }

  func mallctlbymib(
    _ path: UnsafePointer<Int>?, _ length: Int, _ old: UnsafeMutableRawPointer?,
    _ oldSize: UnsafeMutablePointer<Int>?, _ new: UnsafeMutableRawPointer?, _ newSize: Int
  ) -> Int32 { 1 }

#else
  internal import CJemalloc

  extension Mallctl {
    /// Why there are no controls at all.
    static let reasonForNone: String? = nil
    /// The number under which all arenas are added up.
    static var allArenas: Int { cjemalloc_all_arenas() }
  }
#endif
