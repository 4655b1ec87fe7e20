import ArgumentParser
import Foundation
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import TandemIdentity

/// Calls `tandem.identity.v1.Accounts/Register`, each time for a new user.
struct RegisterLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "register")

  @OptionGroup var load: LoadOptions
  @Option(help: "What their usernames begin with.") var prefix: String
  @Option(help: "Their password.") var password: String

  func run() async throws {
    let (prefix, password, next) = (prefix, password, Counter())
    try await load.run { caller, options in
      let name = "\(prefix)\(next.next())"
      let answer = try await AccountsClient(caller).register(
        RegisterRequest(email: "\(name)@example.org", username: name, password: password), options)
      guard !answer.userID.isEmpty else { throw WrongAnswer(answer) }
    }
  }
}

/// Calls `tandem.identity.v1.Accounts/Login` for users in turn. A refused call is repeated after the requested delay, as apps do; the delay
/// counts.
struct LoginLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "login")

  @OptionGroup var load: LoadOptions
  @Option(help: "A file with a username a line.") var names: String
  @Option(help: "Their password.") var password: String

  func run() async throws {
    let names = try Lines.of(names)
    let (password, next) = (password, Counter())
    try await load.run { caller, options in
      let name = names[next.next() % names.count]
      let request = LoginRequest(emailOrUsername: name, password: password)
      let patient = CallOptions(timeout: .seconds(60), metadata: options.metadata)
      while true {
        do {
          let answer = try await AccountsClient(caller).login(request, patient)
          guard !answer.accessToken.isEmpty else { throw WrongAnswer(answer) }
          return
        } catch let status as Status where status.code == .resourceExhausted {
          // The delay that the server asked for.
          try await Task.sleep(for: status.retryAfter ?? .seconds(1))
        }
      }
    }
  }
}

/// Calls `tandem.identity.v1.Accounts/Refresh`, with tokens that each call replaces.
struct RefreshLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "refresh")

  @OptionGroup var load: LoadOptions
  @Option(help: "A file with a refresh token a line, one for each caller.") var tokens: String

  func run() async throws {
    let pool = Pool(try Lines.of(tokens))
    try await load.run { caller, options in
      let token = try pool.take()
      let answer = try await AccountsClient(caller).refresh(RefreshRequest(refreshToken: token), options)
      guard !answer.accessToken.isEmpty else { throw WrongAnswer(answer) }
      pool.put(answer.refreshToken)
    }
  }
}

/// Prints the access token of a session whose refresh token a file has.
struct FirstAccessToken: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "access-token")

  @Option(help: "The server's port on 127.0.0.1.") var port: Int
  @Option(help: "A file with the refresh token.") var tokens: String

  func run() async throws {
    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: group.executors[0])
    let answer = try await AccountsClient(client).refresh(RefreshRequest(refreshToken: Lines.of(tokens)[0]))
    await client.close()
    try await group.shutdown()
    print(answer.accessToken)
  }
}

/// Numbers from 0 on, for many callers.
final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Tokens that no call is using.
private final class Pool: Sendable {
  private struct Empty: Error {}
  private let tokens: Mutex<[String]>

  init(_ tokens: [String]) { self.tokens = Mutex(tokens) }

  func take() throws -> String {
    guard let token = tokens.withLock({ $0.popLast() }) else { throw Empty() }
    return token
  }

  func put(_ token: String) { tokens.withLock { $0.append(token) } }
}

enum Lines {
  /// The lines of a file.
  static func of(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
