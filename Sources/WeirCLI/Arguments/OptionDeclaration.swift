/// An option of the command line. Parsing, checks and help texts are all made from this one value.
struct OptionDeclaration: Sendable {
  /// The long name without dashes.
  var name: String
  /// The one-letter name, if it has one.
  var short: Character?
  /// What stands for the value in help texts; nil for a flag.
  var value: String?
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// The only values it takes; empty when any will do.
  var choices: [String] = []
  /// Whether the value is a list with commas, each of them one of `choices`.
  var isList = false
  /// One sentence for people.
  var about: String

  /// As people write it: `--out DIR`.
  var synopsis: String { "--" + name + (value.map { " " + $0 } ?? "") }
}

extension OptionDeclaration {
  static let help = Self(name: "help", short: "h", about: "Print this help and exit.")
  static let version = Self(name: "version", about: "Print the version and exit.")
  static let quiet = Self(name: "quiet", short: "q", about: "Print no progress.")
  static let color = Self(
    name: "color", value: "WHEN", choices: ["auto", "always", "never"],
    about: "Use colour: auto (a terminal without NO_COLOR; the default), always or never.")
  static let out = Self(
    name: "out", short: "o", value: "DIR",
    about: "The run directory; Reports/Runs/<name>-<time> by default.")
  static let seed = Self(name: "seed", value: "N", about: "Replace the scenario's seed.")
  static let set = Self(
    name: "set", value: "KEY.PATH=VALUE", isRepeatable: true,
    about: "Replace a value of the scenario, e.g. load.stages.0.rate=80/s. May be repeated.")
  static let jobs = Self(
    name: "jobs", short: "j", value: "N",
    about:
      "Run N cells of the virtual clock at once; as many as there are cores by default, at most 8. Those of the real "
      + "clock run alone.")
  static let strategy = Self(
    name: "strategy", value: "NAME", isRepeatable: true,
    about: "Run only this strategy of the scenario. May be repeated.")
  static let baseline = Self(
    name: "baseline", value: "DIR",
    about: "Hold the run against DIR/<name>.json: worse is regressed, none there is no-baseline.")
  static let saveBaseline = Self(
    name: "save-baseline", value: "DIR",
    about: "Keep the run's figures in DIR/<name>.json, unless it failed or proves nothing.")
  static let strict = Self(
    name: "strict", about: "With --baseline: an improvement that is not in the baseline is regressed too.")
  static let allow = Self(
    name: "allow", value: "WORDS", choices: ["inconclusive", "no-baseline"], isList: true,
    about: "Exit 0 for these verdicts: inconclusive, no-baseline, or both with a comma.")
  static let format = Self(
    name: "format", value: "FORMAT", choices: ["text", "json", "csv", "markdown", "junit"],
    about: "What goes to the standard output: text (the default), json, csv, markdown or junit.")
  static let listFormat = Self(
    name: "format", value: "FORMAT", choices: ["text", "markdown"],
    about: "What a list looks like: text (the default), or for flaws markdown.")
  static let flaws = Self(name: "flaws", about: "List flaws: the same as `list flaws`.")
}
