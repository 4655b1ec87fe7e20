import ArgumentParser
import Foundation
import LoopExecutor
import NIOSSL
import TTRPC
import TTRPCClient
import TandemIdentity

/// Makes one call after the other for names that it reads, and prints how long each took and how it was answered.
@main
struct Probe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enumeration-probe",
    abstract: "Times calls of identity's public methods, one at a time.",
    discussion: """
      Reads a name a line from stdin and prints a line for each: nanoseconds, a tab, the answer. Each call comes from a client \
      of its own, as the gateway tells that it shows itself to be.
      """)

  /// What is called for a name.
  enum Kind: String, ExpressibleByArgument {
    case register, login, passkey, reset
  }

  @Argument(help: "register, login (with a wrong password), passkey or reset.")
  var kind: Kind
  @Option(help: "The server's port on 127.0.0.1.")
  var port: Int
  @Option(help: "A PEM file with the authority of the suite's certificates.")
  var authority: String
  @Option(help: "A PEM file with the gateway's certificate.")
  var certificate: String
  @Option(help: "A PEM file with its key.")
  var key: String
  @Option(help: "After so many seconds no further call is made.")
  var seconds: Double
  @Option(help: "Milliseconds between two calls, in which the server does what it put off.")
  var pause = 0
  @Option(help: "The first client's number; the others follow.")
  var firstClient = 0

  static let password = "seven-Lanterns-over-Quiet-water"

  func run() async throws {
    let group = LoopGroup(threads: 1)
    let executor = group.executors[0]
    let client = RPCClient(host: "127.0.0.1", port: port, security: try security(), on: executor)
    try await withTaskExecutorPreference(executor) {
      try await calls(AccountsClient(client), PasskeysClient(client))
    }
    await client.close()
    try await group.shutdown()
  }

  private func calls(_ accounts: AccountsClient, _ passkeys: PasskeysClient) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var number = firstClient
    while clock.now < end, let name = readLine() {
      let options = CallOptions(timeout: .seconds(30), metadata: ["x-forwarded-for": Self.address(of: number)])
      number += 1
      let begun = clock.now
      let answer = try await answer(for: name, accounts, passkeys, options)
      let took = begun.duration(to: clock.now)
      print("\(took / .nanoseconds(1))\t\(answer)")
      // Between two measurements, not in one: the server does now what the call before put off, so that it does not slow the next one.
      if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
    }
  }

  private func answer(
    for name: String, _ accounts: AccountsClient, _ passkeys: PasskeysClient, _ options: CallOptions
  ) async throws -> String {
    do {
      switch kind {
      case .register:
        _ = try await accounts.register(
          RegisterRequest(email: "\(name)@example.org", username: name, password: Self.password), options)
        return "registered"
      case .login:
        _ = try await accounts.login(LoginRequest(emailOrUsername: name, password: "not the password"), options)
        return "logged in"
      case .passkey:
        let start = try await passkeys.startPasskeyLogin(StartPasskeyLoginRequest(), options)
        return "\(start.challenge.count) bytes for \(start.relyingPartyID)"
      case .reset:
        return "\(try await accounts.requestPasswordReset(RequestPasswordResetRequest(email: name), options))"
      }
    } catch let status as Status {
      let details = status.details.map { "\($0.typeURL) \($0.value)" }
      return "\(status.code.name) \(status.message) \(details)".replacing("\n", with: " ")
    }
  }

  /// A network of its own for each client: the first 64 bits count.
  private static func address(of client: Int) -> String {
    "2001:db8:\(String(client >> 16 & 0xFFFF, radix: 16)):\(String(client & 0xFFFF, radix: 16))::1"
  }

  private func security() throws -> RPCClient.Security {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(authority)
    configuration.minimumTLSVersion = .tlsv13
    configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
    configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
    return .tls(try NIOSSLContext(configuration: configuration), serverName: "identity")
  }
}
