import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem trackers`.
struct TrackersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackers", abstract: "Look at the providers of fitness trackers, have them imported, and pause them.",
    usage: """
      tandem trackers list
      tandem trackers sync strava
      tandem trackers pause strava
      tandem trackers pause strava --end
      """,
    discussion: """
      Shows the importer the operator's certificate: the running suite's, or that of --cert and --key.
      """,
    subcommands: [ListProviders.self, SyncProvider.self, PauseProvider.self])
}

/// The options of all commands about trackers: the server and the credentials.
struct TrackerOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var output: OutputOption

  private static let service = "tandem.importer.v1.TrackerOperators"

  /// The response of a method of the importer's service for operators.
  func call(_ method: String, _ request: KeyValuePairs<String, JSONValue>) async throws -> JSONValue {
    var connection = connection
    if connection.cert == nil, environment("TANDEM_CERT") == nil, let suite = connection.suite {
      let workspace = Workspace(home: connection.home, data: suite.data)
      connection.cert = workspace.certificate(named: Certificates.operatorName)
      connection.key = workspace.key(named: Certificates.operatorName)
    }
    return try await ReflectingClient.with(try connection.target(for: Self.service)) { client in
      let options = CallOptions(timeout: .seconds(30))
      let schema = try await client.schema(of: Self.service, options)
      guard let type = schema.services[Self.service]?.method(named: method) else {
        throw Complaint("\(client.target.address) has no \(Self.service)/\(method)")
      }
      do {
        return try await client.call(type, of: Self.service, .members(request), schema: schema, options)
      } catch let status as Status { throw Complaint(status.text(schema), exitStatus: status.exitStatus) }
    }
  }

  /// Writes a response.
  func show(_ answer: JSONValue) {
    write(answer.text(output.output == .json ? .oneLine : .indented) + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem trackers list`.
struct ListProviders: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the providers with their users, imports, limits and pauses.")

  @OptionGroup var options: TrackerOptions

  func run() async throws {
    for provider in try await options.call("ListProviders", [:])["providers"]?.array ?? [] {
      if options.output.output == .json {
        options.show(provider)
      } else {
        write(Self.line(provider) + "\n", to: STDOUT_FILENO)
      }
    }
  }

  private static func line(_ provider: JSONValue) -> String {
    let count = { (name: String) in provider[name]?.string ?? "0" }
    var words = [
      provider["provider"]?.string ?? "", "\(count("connectedCount")) connected",
      "\(count("needsConsentCount")) need consent", "\(count("runningImportCount")) running",
      "\(count("failedImportCount")) failed today",
    ]
    if let left = provider["requestsLeft"]?.string, left != "-1" { words.append("\(left) requests left") }
    if let until = provider["blockedUntil"]?.string { words.append("waits until \(until)") }
    if let oldest = provider["oldestSyncTime"]?.string { words.append("oldest import \(oldest)") }
    if case .bool(true)? = provider["paused"] { words.append("paused") }
    return words.joined(separator: "  ")
  }
}

/// `tandem trackers sync`.
struct SyncProvider: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Import the data of a provider's users within the next ten minutes.")

  @Argument(help: "The provider's id, such as strava.")
  var provider: String

  @OptionGroup var options: TrackerOptions

  func run() async throws { options.show(try await options.call("SyncProvider", ["provider": .string(provider)])) }
}

/// `tandem trackers pause`.
struct PauseProvider: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Send a provider no requests: imports wait, and new ones are refused.")

  @Argument(help: "The provider's id, such as strava.")
  var provider: String

  @Flag(help: "End the pause.")
  var end = false

  @OptionGroup var options: TrackerOptions

  func run() async throws {
    options.show(
      try await options.call("PauseProvider", ["provider": .string(provider), "paused": .bool(!end)]))
  }
}
