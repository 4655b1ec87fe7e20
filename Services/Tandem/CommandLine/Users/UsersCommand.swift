import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem users`.
struct UsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Look at people's accounts, lock, unlock and delete them.",
    usage: """
      tandem users find ada
      tandem users show ada@example.org
      tandem users lock ada
      tandem users unlock ada
      tandem users delete ada --yes
      """,
    discussion: """
      Shows identity the operator's certificate: the running suite's, or that of --cert and --key. A user is named by \
      username, e-mail address or id.
      """,
    subcommands: [FindUser.self, ShowUser.self, LockUser.self, UnlockUser.self, DeleteUser.self])
}

/// The options of all commands about users: the server and the credentials.
struct OperatorOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var output: OutputOption

  private static let service = "tandem.identity.v1.Operators"

  /// Runs `body` with a service for operators, by default identity's.
  func with(_ service: String = service, _ body: @Sendable (OperatorsDesk) async throws -> Void) async throws {
    var connection = connection
    if connection.cert == nil, environment("TANDEM_CERT") == nil, let suite = connection.suite {
      let workspace = Workspace(home: connection.home, data: suite.data)
      connection.cert = workspace.certificate(named: Certificates.operatorName)
      connection.key = workspace.key(named: Certificates.operatorName)
    }
    let output = output.output
    try await ReflectingClient.with(try connection.target(for: service)) { client in
      let options = CallOptions(timeout: .seconds(10))
      let schema = try await client.schema(of: service, options)
      try await body(OperatorsDesk(client: client, schema: schema, options: options, output: output))
    }
  }
}

/// A service for operators, and the output format.
struct OperatorsDesk: Sendable {
  private static let service = "tandem.identity.v1.Operators"

  let client: ReflectingClient
  let schema: Schema
  let options: CallOptions
  let output: OutputForm

  /// The response of a method, by default of the service for operators.
  func call(
    _ method: String, _ request: KeyValuePairs<String, JSONValue>, of service: String = service
  ) async throws -> JSONValue {
    guard let type = schema.services[service]?.method(named: method) else {
      throw Complaint("\(client.target.address) has no \(service)/\(method)")
    }
    do { return try await client.call(type, of: service, .members(request), schema: schema, options) } catch let
      status as Status
    {
      throw Complaint(status.text(schema), exitStatus: status.exitStatus)
    }
  }

  /// The id of the user with a username, e-mail address or id.
  func id(of user: String) async throws -> String {
    let isID = user.utf8.count == 36 && user.utf8.filter { $0 == UInt8(ascii: "-") }.count == 4
    if isID { return user }
    let found = try await call("FindUsers", ["query": .string(user)])["users"]?.array ?? []
    let named = found.first { record in
      [record["username"]?.string, record["email"]?.string].contains { $0?.lowercased() == user.lowercased() }
    }
    guard let id = named?["userId"]?.string else { throw Complaint("there is no user \(user)") }
    return id
  }

  /// Writes an account, or another response.
  func show(_ answer: JSONValue) {
    write(answer.text(output == .json ? .oneLine : .indented) + "\n", to: STDOUT_FILENO)
  }

  /// Calls a method about one user and writes its response.
  func show(_ method: String, _ user: String) async throws {
    show(try await call(method, ["userId": .string(try await id(of: user))]))
  }
}

/// `tandem users find`.
struct FindUser: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "List the accounts whose usernames begin with a text, or that have an address.")

  @Argument(help: "The beginning of a username, or an e-mail address.")
  var query: String

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with { [query] desk in
      var page = ""
      repeat {
        let answer = try await desk.call("FindUsers", ["query": .string(query), "pageToken": .string(page)])
        for user in answer["users"]?.array ?? [] { Self.show(user, desk.output) }
        page = answer["nextPageToken"]?.string ?? ""
      } while !page.isEmpty
    }
  }

  private static func show(_ user: JSONValue, _ output: OutputForm) {
    let state = user["lockTime"]?.string != nil ? "locked" : user["verifyTime"]?.string != nil ? "" : "unverified"
    let words = [user["userId"], user["username"], user["email"]].map { $0?.string ?? "" } + [state]
    let line = output == .json ? user.text(.oneLine) : words.filter { !$0.isEmpty }.joined(separator: "  ")
    write(line + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem users show`.
struct ShowUser: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an account.")

  @Argument(help: "A username, an e-mail address or an id.")
  var user: String

  @OptionGroup var options: OperatorOptions

  func run() async throws { try await options.with { [user] desk in try await desk.show("GetUser", user) } }
}

/// `tandem users lock`.
struct LockUser: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "End an account's sessions and let nobody log in to it.")

  @Argument(help: "A username, an e-mail address or an id.")
  var user: String

  @OptionGroup var options: OperatorOptions

  func run() async throws { try await options.with { [user] desk in try await desk.show("LockUser", user) } }
}

/// `tandem users unlock`.
struct UnlockUser: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Let an account's owner log in again, whoever or whatever locked it.")

  @Argument(help: "A username, an e-mail address or an id.")
  var user: String

  @OptionGroup var options: OperatorOptions

  func run() async throws { try await options.with { [user] desk in try await desk.show("UnlockUser", user) } }
}

/// `tandem users delete`.
struct DeleteUser: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an account with all that is its owner's, in every service.")

  @Argument(help: "A username, an e-mail address or an id.")
  var user: String

  @Flag(help: "Do it: it cannot be undone.")
  var yes = false

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    guard yes else { throw Complaint(usage: "deleting \(user) cannot be undone: say --yes") }
    try await options.with { [user] desk in try await desk.show("DeleteUser", user) }
  }
}
