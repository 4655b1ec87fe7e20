import ArgumentParser
import Foundation
import LoopExecutor
import Measure
import NIOSSL
import TTRPC
import TTRPCClient

/// Groups of users with their access tokens.
struct LiveGroups: Decodable, Sendable {
  struct Group: Decodable, Sendable {
    let id: String
    /// The access tokens of the members.
    let members: [String]
  }

  let groups: [Group]
}

/// The flags of loads with many users, each of whom has streams open.
struct LiveOptions: ParsableArguments {
  @Option(help: "The server's port on 127.0.0.1.") var port: Int
  @Option(help: "A PEM file with the authority that signed the server's certificate.") var tlsCa: String
  @Option(help: "JSON with `groups`, each with its `id` and the access tokens of its `members`.") var groups: String
  @Option(help: "The server's process, whose CPU time is read.") var serverPid: Int32
  @Option(help: "Connections that all users share, as gateways have them.") var connections = 8
  @Option(help: "Event loops of this process.") var loops = 2
  @Option(help: "Seconds that count.") var seconds = 2.0
  @Option(help: "Seconds before them.") var warm = 0.5

  /// The groups, and connections to the server while `body` runs.
  func run(_ body: (LiveGroups, LiveConnections) async throws -> Void) async throws {
    let groups = try JSONDecoder().decode(LiveGroups.self, from: Data(contentsOf: URL(fileURLWithPath: groups)))
    let connections = try LiveConnections(port: port, tlsCa: tlsCa, count: connections, loops: loops)
    try await body(groups, connections)
    await connections.close()
  }
}

/// Connections to one server, each on one of a few event loops.
struct LiveConnections: Sendable {
  private let loops: LoopGroup
  private let clients: [RPCClient]

  init(port: Int, tlsCa: String, count: Int, loops: Int) throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(tlsCa)
    let security = RPCClient.Security.tls(try NIOSSLContext(configuration: configuration), serverName: "localhost")
    let group = LoopGroup(threads: loops)
    var settings = RPCClient.Settings()
    // All streams are opened at once.
    settings.waitingCalls = 20_000
    self.loops = group
    clients = (0..<count).map {
      RPCClient(
        host: "127.0.0.1", port: port, security: security, settings: settings, on: group.executors[$0 % loops])
    }
  }

  /// The connection of the user with this number, and where its tasks run.
  subscript(number: Int) -> (client: RPCClient, executor: LoopExecutor) {
    (clients[number % clients.count], loops.executors[number % clients.count % loops.executors.count])
  }

  func close() async {
    for client in clients { await client.close() }
    // Nothing is left to lose: the process ends next.
    do { try await loops.shutdown() } catch {}
  }
}

/// Runs `body` again where the server has too much to do, after the pause that it asks for and by chance as long again, as apps do that all connect at once.
func whenNotOverloaded<R>(_ body: () async throws -> R) async throws -> R {
  while true {
    do {
      return try await body()
    } catch let status as Status where status.code == .resourceExhausted {
      guard let pause = status.retryAfter else { throw status }
      try await Task.sleep(for: pause * Double.random(in: 1...2))
    }
  }
}

extension CallOptions {
  /// What a call of the user with an access token sends along.
  static func of(_ token: String) -> CallOptions { CallOptions(metadata: ["authorization": "Bearer \(token)"]) }
}

/// Moments by the wall clock, in microseconds since 1970: the time that a position or a message carries.
enum WallTime {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Returns at a moment, or at once when it is over.
  static func sleep(until moment: Int64) async throws {
    let left = moment - now
    // The rate that was asked for is the time between two.
    if left > 0 { try await Task.sleep(for: .microseconds(left)) }
  }
}

/// What is due at an even rate: who acts when.
struct EvenRate: Sendable {
  /// When the first one acts for the first time, in microseconds since 1970.
  let begin: Int64
  /// What counts is due in these.
  let counted: Range<Int64>
  /// Between two times of the same actor.
  let pause: Double
  private let actors: Int

  /// - Parameter rate: of all actors together, a second.
  init(of actors: Int, rate: Double, warm: Double, seconds: Double) {
    self.actors = actors
    begin = WallTime.now + 200_000
    let first = begin + Int64(warm * 1e6)
    counted = first..<first + Int64(seconds * 1e6)
    pause = Double(actors) / rate * 1e6
  }

  /// When an actor acts: evenly spread over the pause.
  func times(of actor: Int) -> some Sequence<Int64> {
    let first = Double(begin) + pause * Double(actor) / Double(actors)
    return (0...).lazy.map { Int64(first + Double($0) * pause) }.prefix { $0 < counted.upperBound }
  }
}

/// How long things took, in microseconds.
struct Delays: Sendable {
  private var all: [UInt32] = []

  var count: Int { all.count }

  mutating func add(_ microseconds: Int64) { all.append(UInt32(clamping: microseconds)) }

  static func += (one: inout Delays, other: Delays) { one.all += other.all }

  /// The median and the 99th percentile in milliseconds, as JSON fields.
  func json(_ name: String) -> String {
    let sorted = all.sorted()
    func quantile(_ part: Double) -> Double {
      sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * part)]) / 1e3
    }
    return "\"\(name)_p50_ms\":\(quantile(0.5)),\"\(name)_p99_ms\":\(quantile(0.99))"
  }
}

/// The CPU time of the server and of this process from the beginning on.
struct CPUTimes {
  private let server: ProcessUsage
  private let own = ProcessUsage(pid: getpid())
  private let before: (server: Double, own: Double)
  private let begun = monotonicNanoseconds()

  init(serverPID: Int32) {
    server = ProcessUsage(pid: serverPID)
    before = (server.cpuSeconds, own.cpuSeconds)
  }

  /// Cores that each was using, as JSON fields.
  var json: String {
    let seconds = Double(monotonicNanoseconds() - begun) / 1e9
    let (served, loaded) = (server.cpuSeconds - before.server, own.cpuSeconds - before.own)
    return "\"server_cores\":\(served / seconds),\"load_cores\":\(loaded / seconds)"
  }
}
