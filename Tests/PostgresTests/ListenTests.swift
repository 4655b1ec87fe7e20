import Glibc
import Logging
import LoopExecutor
import Synchronization
import TestSupport
import Testing

@testable import Postgres

@Suite("Listening to a server that does not listen", .ownThreads, .timeLimit(.minutes(5)))
struct ListenTests {
  /// Counts what a listener tells.
  private final class Told: ChannelObserver {
    private let state = Mutex((heard: [ContinuousClock.Instant](), lost: [ContinuousClock.Instant]()))
    var beginnings: Int { state.withLock { $0.heard.count } }
    var losses: [ContinuousClock.Instant] { state.withLock { $0.lost } }

    func listening(to channels: [String]) { state.withLock { $0.heard.append(.now) } }
    func heard(_ payload: [UInt8], on channel: String) {}
    func lost() { state.withLock { $0.lost.append(.now) } }
  }

  /// Counts the lines of a log.
  private struct CountingLog: LogHandler {
    let count: Counted
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { count.add(event.message.description) }
  }

  private final class Counted: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func listener(_ url: String, _ told: Told, _ lines: Counted, looksEvery: Duration) throws -> ChannelListener {
    try ChannelListener(
      DatabaseConfiguration(url: url, applicationName: "tests"), on: loops.executors[0],
      logger: Logger(label: "listener") { _ in CountingLog(count: lines) }, observer: told, looksEvery: looksEvery)
  }

  @Test("[O-6] a standby, which refuses to listen, is tried less and less often, and complained of once")
  func standby() async throws {
    let primary = try PrivateCluster.start()
    let standby = try primary.startStandby()
    let (told, lines) = (Told(), Counted())
    let listener = try listener(standby.url, told, lines, looksEvery: .seconds(60))
    listener.listen(to: "news")
    await until { told.losses.count >= 6 }
    let losses = told.losses
    // 12.5 ms at least after the first, then twice as long each time.
    #expect(losses[5] - losses[0] > .milliseconds(250))
    #expect(lines.all.count == 1 && lines.all.first?.contains("cannot execute LISTEN") == true, "\(lines.all)")
    try standby.promote()
    await until { told.beginnings == 1 }
    #expect(lines.all.count == 2)
    listener.close()
    try primary.stopServer(mode: "immediate")
    try standby.stopServer(mode: "immediate")
  }

  @Test("[O-1] a server that hangs is left, though its kernel answers for it")
  func frozen() async throws {
    let cluster = try PrivateCluster.start()
    let (told, lines) = (Told(), Counted())
    let listener = try listener(cluster.url, told, lines, looksEvery: .milliseconds(200))
    listener.listen(to: "news")
    await until { told.beginnings == 1 }
    #expect(told.losses.isEmpty)
    try cluster.freeze()
    await until { !told.losses.isEmpty }
    try cluster.thaw()
    await until { told.beginnings == 2 }
    listener.close()
    try cluster.stopServer(mode: "immediate")
  }
}
