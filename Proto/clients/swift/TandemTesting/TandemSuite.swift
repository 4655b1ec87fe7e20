import Foundation
import LoopExecutor
import NIOSSL
import Synchronization
public import TTRPC
public import TTRPCClient

/// A running suite for tests (`tandem test`), with users, a clock that tests move, and mail.
///
/// The program is found in the PATH, or named by TANDEM_PROGRAM.
public final class TandemSuite: Sendable {
  /// The suite of the test that runs, where that has the trait `.tandemSuite`.
  @TaskLocal public static var current: TandemSuite?

  /// A verified user with a profile and a session.
  public struct User: Sendable, Decodable {
    public let id: String
    public let username: String
    public let email: String
    public let password: String
    public let refreshToken: String
  }

  /// What was mailed to a user.
  public struct Mail: Sendable, Decodable {
    public let to: String
    public let subject: String
    public let text: String
    public let links: [String]
    /// That of the first link that has one.
    public let token: String?
  }

  fileprivate struct Facts: Decodable, Sendable {
    struct Address: Decodable, Sendable { let rpc: String }

    let home: String
    let authority: String
    let gatewayCertificate: String
    let gatewayKey: String
    let services: [String: Address]
    let users: [String: User]
  }

  /// The folder of the suite, TANDEM_HOME.
  public let home: String
  private let facts: Mutex<Facts>
  private let clients = Mutex<[String: RPCClient]>([:])
  private let loops = LoopGroup(threads: 1)
  private let program: RunningProgram?

  private init(_ facts: Facts, _ program: RunningProgram?) {
    home = facts.home
    self.facts = Mutex(facts)
    self.program = program
  }

  /// Starts a suite with these users, which ends with this process, however that ends.
  public static func start(users: [String]) async throws -> TandemSuite {
    let names = users.isEmpty ? [] : ["--users", users.joined(separator: ",")]
    let program = try RunningProgram(["test", "start", "--attached", "--json"] + names)
    return TandemSuite(try read(await program.output()), program)
  }

  /// The suite that `tandem test run` or `start` has started, brought back to its beginning; `nil` where there is none.
  public static func ofEnvironment() async throws -> TandemSuite? {
    guard let home = ProcessInfo.processInfo.environment["TANDEM_HOME"],
      let document = FileManager.default.contents(atPath: "\(home)/test.json")
    else { return nil }
    let suite = TandemSuite(try read(document), nil)
    try await suite.reset()
    return suite
  }

  /// Ends what ``start(users:)`` started; a suite of the environment goes on.
  public func stop() async throws {
    for client in clients.withLock({ $0.values.map(\.self) }) { await client.close() }
    try await loops.shutdown()
    try await program?.end()
  }

  public var users: [String: User] { facts.withLock { $0.users } }

  /// Calls a service, such as `matching`, as a gateway does: `SessionsClient(suite.client("matching"))`.
  public func client(_ service: String) throws -> RPCClient {
    let facts = facts.withLock { $0 }
    return try clients.withLock { clients in
      if let client = clients[service] { return client }
      let client = try connect(to: service, facts)
      clients[service] = client
      return client
    }
  }

  private func connect(to service: String, _ facts: Facts) throws -> RPCClient {
    let parts = (facts.services[service]?.rpc ?? "").split(separator: ":")
    guard parts.count == 2, let port = Int(parts[1]) else {
      throw SuiteFailure("the suite has no service \(service)")
    }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv13
    tls.trustRoots = .file(facts.authority)
    tls.certificateChain = try NIOSSLCertificate.fromPEMFile(facts.gatewayCertificate).map { .certificate($0) }
    tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: facts.gatewayKey, format: .pem))
    return RPCClient(
      host: String(parts[0]), port: port, security: .tls(try NIOSSLContext(configuration: tls), serverName: nil),
      on: loops.executors[0])
  }

  /// Makes a call that of a user, with a token that is good by the suite's clock.
  public func call(as user: String, timeout: Duration = .seconds(20)) async throws -> CallOptions {
    .token(try await token(of: user), timeout: timeout)
  }

  /// A user's access token; with `--expired` or `--revoked` one that is refused.
  public func token(of user: String, _ state: String...) async throws -> String {
    try await text(["token", user] + state)
  }

  /// Moves the clock of all services by `+20m`, or to `at`, `2027-03-28T00:59:50Z`; returns what it shows.
  @discardableResult
  public func clock(_ change: String...) async throws -> String { try await text(["clock"] + change) }

  /// What was mailed to an address, once there is some, the oldest first.
  public func mail(to address: String, about subject: String? = nil) async throws -> [Mail] {
    let about = subject.map { ["--about", $0] } ?? []
    return try JSONDecoder().decode([Mail].self, from: try await run(["mail", "--wait"] + about + [address]))
  }

  /// Makes users, until the next reset.
  public func add(_ users: String...) async throws {
    let document = try await run(["users", "add", users.joined(separator: ","), "--json"])
    let read = try Self.read(document)
    facts.withLock { $0 = read }
  }

  /// Brings everything back to the suite's beginning.
  public func reset() async throws {
    let read = try Self.read(try await run(["reset", "--json"]))
    facts.withLock { $0 = read }
  }

  /// Ends a service as if its machine lost power; the suite starts it again.
  public func kill(_ service: String) throws {
    struct Ready: Decodable { let pid: Int32 }
    let file = "\(home)/run/\(service).json"
    guard let text = FileManager.default.contents(atPath: file) else { throw SuiteFailure("\(file) cannot be read") }
    Foundation.kill(try JSONDecoder().decode(Ready.self, from: text).pid, SIGKILL)
  }

  private static func read(_ document: Data) throws -> Facts { try JSONDecoder().decode(Facts.self, from: document) }

  private func text(_ words: [String]) async throws -> String {
    String(decoding: try await run(words), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func run(_ words: [String]) async throws -> Data {
    let program = try RunningProgram(["test"] + words + ["--home", home])
    let output = try await program.output()
    try await program.end()
    return output
  }
}

/// Why there is no suite, or not what was asked of it.
public struct SuiteFailure: Error, CustomStringConvertible {
  /// One line; what `tandem` says of it is on standard error.
  public let description: String

  init(_ description: String) { self.description = description }
}
