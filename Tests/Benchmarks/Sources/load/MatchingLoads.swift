import ArgumentParser
import Foundation
import LoopExecutor
import Measure
import NIOSSL
import Synchronization
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemMatching

/// Calls `tandem.matching.v1.Sessions/BrowseSessions`, for one filter after the other, each JSON on a line.
struct BrowseLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "browse")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let calls = try questions.lines().map { line in
      try JSONDecoder().decode(BrowseFilter.self, from: Data(line.utf8)).request
    }
    let turns = Turns(of: calls.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let page = try await SessionsClient(caller).browseSessions(calls[turns.next()], options)
      guard page.matches.count <= 50 else { throw WrongAnswer(page) }
    }
  }
}

/// A filter as the harness writes it; times are seconds since 1970.
private struct BrowseFilter: Decodable {
  let since: Int64?
  let until: Int64?
  let gym: String?
  let latitude: Double?
  let longitude: Double?
  let radius: Double?
  let focuses: [Int32]
  let genders: [Int32]
  let levels: [Int32]

  var request: BrowseSessionsRequest {
    BrowseSessionsRequest(
      startTime: since.map { .init(seconds: $0) }, endTime: until.map { .init(seconds: $0) }, gymID: gym ?? "",
      point: latitude.flatMap { north in longitude.map { Point(latitude: north, longitude: $0) } },
      radiusM: radius ?? 0, focuses: focuses.compactMap(Focus.init(rawValue:)),
      genders: genders.compactMap(Gender.init(rawValue:)), levels: levels.compactMap(Level.init(rawValue:)),
      pageSize: 50)
  }
}

/// Calls `tandem.matching.v1.Sessions/JoinSession`, each time for another session.
struct JoinLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "join")

  @OptionGroup var load: LoadOptions
  @Option(help: "A file with an access token on each line.") var tokens: String
  @Option(help: "A file with sessions' ids, joined by the users in turn; they have to last for all calls.")
  var sessions: String

  func run() async throws {
    let users = try Lines.of(tokens).map { CallOptions.token($0, timeout: .seconds(5)) }
    let (ids, next) = (try Lines.of(sessions), Counter())
    try await load.run { caller, _ in
      let turn = next.next()
      guard turn < ids.count else { throw WrongAnswer("all \(ids.count) sessions are joined") }
      let session = try await SessionsClient(caller).joinSession(
        JoinSessionRequest(sessionID: ids[turn]), users[turn % users.count])
      guard session.state == .matched else { throw WrongAnswer(session) }
    }
  }
}

/// Has all users of a file join the same session at once, and prints how many won, how many were told that it is taken, and how long the
/// slowest of them waited, in milliseconds.
struct JoinRace: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "join-race")

  @OptionGroup var server: SecuredServer
  @Option(help: "A file with an access token on each line.") var tokens: String
  @Option(help: "The session's id.") var session: String

  private struct Outcomes {
    var (winners, taken): (Int, Int) = (0, 0)
    var failures: [String] = []
  }

  private enum Outcome {
    case won
    case taken
    case failed(String)
  }

  func run() async throws {
    let users = try Lines.of(tokens).map { CallOptions.token($0, timeout: .seconds(10)) }
    let call = JoinSessionRequest(sessionID: session)
    let (outcomes, slowest) = try await server.withClients { clients in
      // The connections are opened first: this is about the joins.
      for (client, user) in zip(clients, users) {
        _ = try await SessionsClient(client).getSession(GetSessionRequest(sessionID: session), user)
      }
      let begun = monotonicNanoseconds()
      let outcomes = await withTaskGroup(of: Outcome.self) { group in
        for (place, user) in users.enumerated() {
          let client = clients[place % clients.count]
          group.addTask { await Self.join(call, user, client) }
        }
        return await group.reduce(into: Outcomes()) { outcomes, outcome in
          switch outcome {
          case .won: outcomes.winners += 1
          case .taken: outcomes.taken += 1
          case .failed(let cause): outcomes.failures.append(cause)
          }
        }
      }
      return (outcomes, Double(monotonicNanoseconds() - begun) / 1e6)
    }
    if let cause = outcomes.failures.first { throw WrongAnswer("\(outcomes.failures.count) failed, first: \(cause)") }
    print("{\"winners\":\(outcomes.winners),\"taken\":\(outcomes.taken),\"slowest_ms\":\(slowest)}")
  }

  private static func join(_ call: JoinSessionRequest, _ user: CallOptions, _ client: RPCClient) async -> Outcome {
    do {
      _ = try await SessionsClient(client).joinSession(call, user)
      return .won
    } catch let status as Status where status.errorInfo?.reason == MatchingReason.sessionTaken.rawValue {
      return .taken
    } catch {
      return .failed("\(error)")
    }
  }
}

/// Prints an access token a line, for the sessions whose refresh tokens a file has, in its order.
struct AccessTokens: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "access-tokens")

  @OptionGroup var server: SecuredServer
  @Option(help: "A file with a refresh token a line.") var tokens: String

  func run() async throws {
    let refreshTokens = try Lines.of(tokens)
    let accessTokens = try await server.withClients { clients in
      try await withThrowingTaskGroup(of: [(Int, String)].self) { group in
        for (place, client) in clients.enumerated() {
          group.addTask {
            var found: [(Int, String)] = []
            for number in stride(from: place, to: refreshTokens.count, by: clients.count) {
              let call = RefreshRequest(refreshToken: refreshTokens[number])
              found.append((number, try await AccountsClient(client).refresh(call).accessToken))
            }
            return found
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }.sorted { $0.0 < $1.0 }.map(\.1)
    print(accessTokens.joined(separator: "\n"))
  }
}

/// A server of the suite, reached over several connections.
struct SecuredServer: ParsableArguments {
  @Option(help: "The server's port on 127.0.0.1.") var port: Int
  @Option(help: "A PEM file with the authority that signed the server's certificate.") var tlsCa: String
  @Option(help: "Connections to it.") var connections = 8

  /// Gives `body` the connections, which are closed when it returns.
  func withClients<Result>(_ body: ([RPCClient]) async throws -> Result) async throws -> Result {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(tlsCa)
    configuration.minimumTLSVersion = .tlsv13
    let security = RPCClient.Security.tls(try NIOSSLContext(configuration: configuration), serverName: "localhost")
    let group = LoopGroup(threads: 1)
    let clients = (0..<connections).map { _ in
      RPCClient(host: "127.0.0.1", port: port, security: security, on: group.executors[0])
    }
    let result = try await body(clients)
    for client in clients { await client.close() }
    try await group.shutdown()
    return result
  }
}
