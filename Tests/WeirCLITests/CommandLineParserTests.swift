import Testing

@testable import WeirCLI

@Suite("The command line")
struct CommandLineParserTests {
  private func parse(_ words: String...) throws(UsageError) -> Invocation {
    try CommandLineParser.parse(words, commands: Tool(workloads: []).commands)
  }

  @Test("Options stand anywhere, with = or a blank")
  func anywhere() throws {
    for words in [
      ["run", "a.yaml", "--out", "x", "--seed=3"], ["--out=x", "--seed", "3", "run", "a.yaml"],
      ["run", "--seed", "3", "a.yaml", "-o", "x"], ["run", "a.yaml", "-ox", "--seed=3"],
    ] {
      let invocation = try CommandLineParser.parse(words, commands: Tool(workloads: []).commands)
      #expect(invocation.command?.name == "run")
      #expect(invocation.operands == ["a.yaml"])
      #expect(invocation.value(.out) == "x")
      #expect(invocation.value(.seed) == "3")
    }
  }

  @Test("`--` ends options, `-` is an operand")
  func endOfOptions() throws {
    let invocation = try parse("validate", "-", "--", "--seed", "-q")
    #expect(invocation.operands == ["-", "--seed", "-q"])
    #expect(!invocation.has(.seed))
  }

  @Test("Repeatable options keep their order; a value may hold =")
  func repeated() throws {
    let invocation = try parse("run", "a", "--set", "load.warm-up=0s", "--set=seed=4")
    #expect(invocation.all(.set) == ["load.warm-up=0s", "seed=4"])
  }

  @Test("A list option is split and checked word by word")
  func list() throws {
    #expect(
      try parse("run", "a", "--allow", "inconclusive,no-baseline").list(.allow) == [
        "inconclusive", "no-baseline",
      ])
    #expect(throws: UsageError.self) { try parse("run", "a", "--allow", "inconclusive,failed") }
  }

  @Test("Short flags can be joined")
  func joined() throws {
    let invocation = try parse("run", "a", "-qo", "x")
    #expect(invocation.has(.quiet))
    #expect(invocation.value(.out) == "x")
  }

  @Test(
    "What is not known is refused with the nearest that is",
    arguments: [
      (["rnu", "a"], "run"), (["run", "a", "--sede", "3"], "--seed"),
      (["run", "a", "--formt=csv"], "--format"),
      (["run", "a", "--format", "jsn"], "json"), (["valdate", "a"], "validate"),
    ])
  func nearest(words: [String], expected: String) {
    let error = #expect(throws: UsageError.self) {
      try CommandLineParser.parse(words, commands: Tool(workloads: []).commands)
    }
    #expect(error?.nearest == expected)
  }

  @Test(
    "Slips are refused",
    arguments: [
      ["run"], ["report"], ["report", "a", "b"], ["run", "a", "--out"], ["run", "a", "--out="],
      ["run", "a", "--quiet=yes"], ["run", "a", "--seed", "1", "--seed", "2"],
      ["validate", "a", "--out", "x"],
      ["list", "--seed", "3"], ["--seed", "3"], ["run", "a", "-x"],
    ])
  func slips(words: [String]) {
    #expect(throws: UsageError.self) {
      try CommandLineParser.parse(words, commands: Tool(workloads: []).commands)
    }
  }

  @Test("Help and version are given whatever else is missing")
  func helpFirst() throws {
    #expect(try parse("run", "--help").has(.help))
    #expect(try parse("-h").has(.help))
    #expect(try parse("--version", "run").has(.version))
  }

  @Test("The hidden command is not suggested")
  func hidden() {
    let error = #expect(throws: UsageError.self) { try parse("cel") }
    #expect(error?.nearest == nil)
  }

  @Test("No option has two meanings")
  func consistentOptions() {
    let options = Tool(workloads: []).commands.flatMap(\.allOptions)
    for option in options {
      for other in options where other.name == option.name {
        #expect(other.value == option.value && other.short == option.short)
      }
      for other in options where other.short != nil && other.short == option.short {
        #expect(other.name == option.name)
      }
    }
  }
}
