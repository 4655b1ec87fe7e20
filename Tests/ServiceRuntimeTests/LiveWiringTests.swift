import Live
import Logging
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import ServiceRuntime

/// A service that hands its bus to the test.
private struct Whisperer: TandemService {
  static let service = ServiceDescription(
    name: "whisperer", purpose: "Is tested", migrations: [Migration(version: 1, name: "nothing", sql: "select 1")])

  static let buses = Mutex<[any LiveBus]>([])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    buses.withLock { $0.append(runtime.live) }
    return ServedService()
  }
}

@Suite("Live messages of a service", .timeLimit(.minutes(5)))
struct LiveWiringTests {
  @Test("replicas hear each other by the database, until they stop")
  func replicas() async throws {
    let url = try await freshDatabase("live")
    let settings = try Settings.resolve(
      Whisperer.service.allSettings, service: "whisperer",
      from: SettingSources(arguments: ["--plaintext", "--threads=1", "--database-url=\(url)"]))
    let logger = Logger(label: "whisperer") { _ in SwiftLogNoOpLogHandler() }
    let hosts = [
      try await ServiceHost.start(Whisperer.self, settings: settings, logger: logger),
      try await ServiceHost.start(Whisperer.self, settings: settings, logger: logger),
    ]
    let buses = Whisperer.buses.withLock { $0 }
    try await withThrowingTaskGroup { group in
      for host in hosts { group.addTask { try await host.run() } }
      var heard = buses[0].subscribe(to: LiveChannel("whisperer.all")).makeAsyncIterator()
      #expect(await heard.next() == .gap)
      buses[1].publish([1, 2, 3], to: LiveChannel("whisperer.all"))
      #expect(await heard.next() == .payload([1, 2, 3]))
      for host in hosts { await host.stop() }
      while await heard.next() != nil {}
      try await group.waitForAll()
    }
  }
}
