import Testing

@testable import RuntimeProbe

@Suite("Places of creation")
struct CreationPlaceTests {
  @Test(
    "Standard library functions are passed over, extensions of its types are not",
    arguments: [
      ("$sScTss5NeverORs_rlE4name8priority9operationScTyxABGSSSg_ScPSgxyYaYAcntcfC", true),
      ("$sSTsE7forEachyyy7ElementQzKXEKFSaySiG_Tg5", true),
      ("$sScG7addTask8priority9operationyScPSg_xyYaYAcntFyt_Tg5", true),
      ("$ss5print_9separator10terminatoryypd_S2StF", true),
      ("swift_job_run", true),
      ("$sSa8MyModuleE5spawnyyF", false),
      ("$s8MyModule5StageV5startyyF", false),
    ])
  func library(_ name: String, isLibrary: Bool) {
    #expect(CreationPlaces.isLibrary(name) == isLibrary)
  }

  @Test("Paths are cut to module and file")
  func paths() {
    #expect(CreationPlaces.shortPath("/home/me/pkg/Sources/Stories/Prose.swift") == "Stories/Prose.swift")
    #expect(CreationPlaces.shortPath("/pkg/Stories/Sources/Prose.swift") == "Stories/Prose.swift")
    #expect(CreationPlaces.shortPath("Prose.swift") == "Prose.swift")
  }

  @Test("What the optimiser adds to a name is left out")
  func names() {
    #expect(CreationPlaces.shortened("specialized static Leak.start()") == "static Leak.start()")
  }

  @Test("Addresses of nothing have no place")
  func nowhere() {
    var places = CreationPlaces()
    #expect(places.place(of: [1, 2, 3]) == nil)
    #expect(places.place(of: []) == nil)
  }
}
