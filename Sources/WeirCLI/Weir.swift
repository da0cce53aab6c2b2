internal import Glibc
internal import RunRecords
internal import Scenarios
public import WorkloadInterface

/// Weir, the tool. An executable with pipelines of its own calls `main` from a synchronous `main` and is then
/// the whole tool for them:
///
/// ```swift
/// @main struct MyLoadTests {
///   static func main() { Weir.main(workloads: [CheckoutWorkload()]) }
/// }
/// ```
public enum Weir {
  /// Runs the command line and exits with its code. Never returns.
  ///
  /// It must be the first thing that the process does: a cell takes over clock and executors from here, so
  /// nothing may have used Swift concurrency before.
  public static func main(
    workloads: [any Workload], arguments: [String] = CommandLine.arguments
  ) -> Never {
    exit(run(Array(arguments.dropFirst()), tool: Tool(workloads: workloads)))
  }

  /// Runs the command line and returns the exit code.
  static func run(_ arguments: [String], tool: Tool) -> Int32 {
    StandardStreams.prepare()
    do {
      return try dispatch(CommandLineParser.parse(arguments, commands: tool.commands), tool)
    } catch let error as UsageError {
      StandardStreams.error(error.text)
      return (error.command == "record" ? ExitCode.recordFailed : .usage).rawValue
    } catch let errors as ScenarioErrors {
      StandardStreams.error("\(errors)\n")
      return ExitCode.usage.rawValue
    } catch let error as WorkFailure {
      StandardStreams.error("weir: \(error.message)\n")
      return ExitCode.internalError.rawValue
    } catch {
      StandardStreams.error("weir: \(error)\n")
      return ExitCode.internalError.rawValue
    }
  }

  private static func dispatch(_ invocation: Invocation, _ tool: Tool) throws -> Int32 {
    if invocation.has(.version) {
      StandardStreams.print("weir \(WeirVersion.current)\n")
      return StandardStreams.exitCode(ExitCode.passed.rawValue)
    }
    if invocation.has(.help) {
      let text = invocation.command.map(HelpText.command) ?? HelpText.overview(tool.visibleCommands)
      StandardStreams.print(text)
      return StandardStreams.exitCode(ExitCode.passed.rawValue)
    }
    guard let command = invocation.command else {
      StandardStreams.error(HelpText.short(tool.visibleCommands))
      return ExitCode.usage.rawValue
    }
    return StandardStreams.exitCode(try command.body(invocation, tool))
  }
}
