internal import RunRecords

/// Reads a command line: `weir COMMAND [OPERAND…] [--option[=value]]…`. Options may stand anywhere, also before
/// the command; `--` ends them.
struct CommandLineParser {
  private let commands: [CommandDeclaration]
  private let known: [OptionDeclaration]
  private var invocation = Invocation()
  private var given: [(option: OptionDeclaration, spelling: String)] = []

  init(commands: [CommandDeclaration]) {
    self.commands = commands
    var known = CommandDeclaration.commonOptions
    for option in commands.flatMap(\.options) where !known.contains(where: { $0.name == option.name }) {
      known.append(option)
    }
    self.known = known
  }

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: `UsageError`, with the nearest known command, option or value.
  static func parse(_ arguments: [String], commands: [CommandDeclaration]) throws(UsageError) -> Invocation {
    var parser = CommandLineParser(commands: commands)
    try parser.read(arguments)
    try parser.check()
    return parser.invocation
  }

  private mutating func read(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        for operand in rest { try take(operand: operand) }
        return
      }
      if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2), &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeShort(argument.dropFirst(), &rest)
      } else {
        try take(operand: argument)
      }
    }
  }

  private mutating func take(operand: String) throws(UsageError) {
    guard invocation.command == nil else {
      invocation.operands.append(operand)
      return
    }
    guard let command = commands.first(where: { $0.name == operand }) else {
      let nearest = NearestName.of(operand, among: commands.filter { !$0.isHidden }.map(\.name))
      throw UsageError("there is no command `\(operand)`", nearest: nearest)
    }
    invocation.command = command
  }

  private mutating func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = known.first(where: { $0.name == name }) else {
      throw unknown("--" + name)
    }
    try take(option, spelling: "--" + name, attached: parts.count == 2 ? String(parts[1]) : nil, &rest)
  }

  private mutating func takeShort(
    _ text: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.short == letter }) else { throw unknown("-\(letter)") }
      var attached: String?
      if option.value != nil, !letters.isEmpty {
        attached = String(letters.first == "=" ? letters.dropFirst() : letters)
        letters = ""
      }
      try take(option, spelling: "-\(letter)", attached: attached, &rest)
    }
  }

  private mutating func take(
    _ option: OptionDeclaration, spelling: String, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    given.append((option, spelling))
    guard let placeholder = option.value else {
      if attached != nil { throw UsageError("`\(spelling)` takes no value", command: commandName) }
      invocation.values[option.name] = [""]
      return
    }
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError("`\(spelling)` needs a value: \(spelling) \(placeholder)", command: commandName)
    }
    if !option.isRepeatable, invocation.values[option.name] != nil {
      throw UsageError("`\(spelling)` is given twice", command: commandName)
    }
    try check(value, of: option, spelling: spelling)
    invocation.values[option.name, default: []].append(value)
  }

  private func check(_ value: String, of option: OptionDeclaration, spelling: String) throws(UsageError) {
    guard !option.choices.isEmpty else { return }
    for word in option.isList ? value.split(separator: ",").map(String.init) : [value]
    where !option.choices.contains(word) {
      throw UsageError(
        "`\(spelling)` takes \(option.choices.joined(separator: ", ")), not `\(word)`",
        nearest: NearestName.of(word, among: option.choices), command: commandName)
    }
  }

  /// Checks what can be checked only when the command is known. Help asked for is given whatever else is wrong.
  private func check() throws(UsageError) {
    if invocation.has(.help) || invocation.has(.version) { return }
    guard let command = invocation.command else {
      if let first = given.first {
        throw UsageError("`\(first.spelling)` needs a command before or after it")
      }
      return
    }
    for (option, spelling) in given where !command.allOptions.contains(where: { $0.name == option.name }) {
      throw UsageError("`\(command.name)` does not take `\(spelling)`", command: command.name)
    }
    let count = invocation.operands.count
    if count < command.count.lowerBound {
      throw UsageError("`\(command.name)` needs \(command.operands)", command: command.name)
    }
    if count > command.count.upperBound {
      let extra = invocation.operands[command.count.upperBound]
      throw UsageError("`\(command.name)` cannot use `\(extra)`", command: command.name)
    }
  }

  private var commandName: String? { invocation.command?.name }

  private func unknown(_ spelling: String) -> UsageError {
    let options = invocation.command?.allOptions ?? known
    let nearest =
      spelling.hasPrefix("--") ? NearestName.of(spelling, among: options.map { "--" + $0.name }) : nil
    return UsageError("there is no option `\(spelling)`", nearest: nearest, command: commandName)
  }
}
