import CatalogStore
import ServiceRuntime
import Synchronization
import TestServices
import TestSupport
import Testing

@testable import catalog

/// The real service, whose readiness a test asks.
private struct WatchedCatalog: TandemService {
  static let service = OpenCatalog.service

  /// What each service under test was built from, by the URL of its database.
  static let built = Mutex<[String: Runtime]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = runtime }
    return try await OpenCatalog.build(runtime)
  }
}

@Suite("what the catalog says that it lacks")
struct LackTests {
  @Test("[CA-5] [CA-20] 31 item 9: a real service with an empty database names what it lacks, each with its cure")
  func empty() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let url = database.url(of: "catalog")
      try await RunningService.with(WatchedCatalog.self, on: database) { _ in
        let runtime = try #require(WatchedCatalog.built.withLock { $0[url] })
        defer { WatchedCatalog.built.withLock { _ = $0.removeValue(forKey: url) } }
        let lacks = await runtime.readiness.lacks()
        #expect(lacks.map(\.subject) == ["gyms", "exercises", "curated workouts", "records of books"])
        #expect(lacks.allSatisfy { !$0.effect.isEmpty && $0.cure.hasPrefix("tandem load defaults") })
        #expect(lacks.last?.cure.contains("--from") == true)
      }
    }
  }
}
