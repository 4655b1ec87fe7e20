import ArgumentParser
import Glibc

/// `tandem samples`.
struct SamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Load the samples to try the suite with, or remove them.",
    usage: """
      tandem samples load
      tandem samples remove
      """,
    discussion: """
      Gyms, books with invented ISBNs, their readers' ratings, exercises, workouts of them, and places. `tandem up` loads them once into its \
      own database. Each service's are loaded only where nothing else was; one that refuses does not keep the others. Removing them leaves the exercises, to which workouts and logs refer.

      Exit status: 0 done, 1 there is other data or a database refused, 2 wrong usage.
      """,
    subcommands: [LoadSamples.self, RemoveSamples.self])
}

/// `tandem samples load`.
struct LoadSamples: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "load", abstract: "Load the samples.")

  @OptionGroup var place: HomeOption

  func run() async throws { try await SampleTask.load.run(place) }
}

/// `tandem samples remove`.
struct RemoveSamples: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove the samples.")

  @OptionGroup var place: HomeOption

  func run() async throws { try await SampleTask.remove.run(place) }
}

/// What is done with the samples of each service that has some: only the service has them.
private enum SampleTask: String {
  case load
  case remove

  func run(_ place: HomeOption) async throws {
    var failures: [String] = []
    for service in SuiteService.withSamples {
      for database in try ServiceDatabases.named(service, place) {
        do { try await run(on: database) } catch let failure as Complaint { failures.append(failure.description) }
      }
    }
    guard failures.isEmpty else { throw Complaint(failures.joined(separator: "\n")) }
  }

  private func run(on database: ServiceDatabase) async throws {
    let output = try await ServiceProgram.run([rawValue, "samples"], on: database)
    write(output.text, to: output.end == .exited(0) ? STDOUT_FILENO : STDERR_FILENO)
    guard output.end == .exited(0) else {
      throw Complaint("`\(database.service.rawValue) \(rawValue) samples` \(output.end)")
    }
  }
}

/// The program of a service, run for one of its own commands.
enum ServiceProgram {
  /// Runs a command of the service with a database.
  static func run(_ arguments: [String], on database: ServiceDatabase) async throws -> CommandOutput {
    try await CommandOutput(running: try plan(arguments, database))
  }

  /// Runs a command of the service with a database, and shows what it writes as it does.
  static func show(_ arguments: [String], on database: ServiceDatabase) async throws -> ProcessEnd {
    try await CommandOutput.shown(running: try plan(arguments, database))
  }

  private static func plan(_ arguments: [String], _ database: ServiceDatabase) throws(Complaint) -> ChildPlan {
    let name = database.service.rawValue
    let program = "\(Paths.programFolder)/\(name)"
    guard access(program, X_OK) == 0 else {
      throw Complaint("the program \(program) is missing: it belongs beside tandem")
    }
    var plan = ChildPlan(name: name, program: program, arguments: arguments)
    // The URL has a password, which arguments would show to other users of the machine.
    plan.environment["TANDEM_\(name.uppercased())_DATABASE_URL"] = database.text
    plan.environment["TANDEM_\(name.uppercased())_DATABASE_URL_FILE"] = .some(nil)
    return plan
  }
}
