import Glibc
import Postgres
import Reflection
import TestSupport
import Testing

@testable import tandem

/// Suites for tests that share a server of PostgreSQL; `make chaos` has twenty.
@Suite("35: suites for tests on one server do not meet", .ownThreads, .timeLimit(.minutes(60)))
struct TestNeighboursTests {
  private static let count = environment("CHAOS_SUITES").flatMap { Int($0) } ?? 3
  /// How many start at the same time: each has eight programs that start.
  private static let startsAtOnce = environment("CHAOS_SUITE_STARTS").flatMap { Int($0) } ?? 3
  private static let account = "tandem.identity.v1.Accounts/GetOwnAccount"
  private static let groups = "tandem.identity.v1.Groups"

  private let place: TestPlace

  init() throws { place = try TestPlace() }

  @Test("users, rows, mail, clocks and resets of each are its own, and at their end nothing is left")
  func apart() async throws {
    let cluster = try PrivateCluster.start()
    let begin = ContinuousClock.now
    let suites = try start(on: cluster)
    let time = ContinuousClock.now - begin
    #expect(Set(suites.map { $0.user("ada", "id") }).count == suites.count)
    #expect(Set(suites.map { $0.text("databaseUrl") }).count == suites.count)

    for (number, suite) in suites.enumerated() {
      _ = try suite.call("\(Self.groups)/CreateGroup", #"{"group":{"name":"Group \#(number)"}}"#, "ada")
    }
    let moved = try suites[0].tandem("test", "clock", "+2d")
    #expect(moved.status == 0, "\(moved)")
    for (number, suite) in suites.enumerated() {
      let next = suites[(number + 1) % suites.count]
      let stranger = try suite.tandem("rpc", "call", Self.account, "--token", try next.token("ada"))
      #expect(stranger.errors.contains("UNAUTHENTICATED"), "\(number): \(stranger)")
      #expect(try groups(of: suite) == ["Group \(number)"])
      #expect(Files.names(in: suite.text("mail")).count < 10)
    }
    let connections = try await connections(to: cluster)

    #expect(try suites[0].tandem("test", "reset").status == 0)
    #expect(try groups(of: suites[0]) == [])
    for (number, suite) in suites.enumerated().dropFirst() { #expect(try groups(of: suite) == ["Group \(number)"]) }

    for suite in suites { #expect(try suite.tandem("test", "stop").status == 0) }
    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
    #expect(try await place.remnants(on: cluster) == [])
    print("suites for tests: \(suites.count) on one server, started within \(time), with \(connections) connections")
  }

  private func start(on cluster: PrivateCluster) throws -> [StartedSuite] {
    var suites: [StartedSuite] = []
    while suites.count < Self.count {
      let starting = try (0..<min(Self.startsAtOnce, Self.count - suites.count)).map { _ in
        try place.tandem(["test", "start", "--json", "--users", "ada", "--database-url", cluster.url])
      }
      for command in starting {
        let started = command.finish()
        try #require(started.status == 0, "suite \(suites.count): \(started)")
        suites.append(StartedSuite(place: place, document: try JSONValue(parsing: started.output)))
        print("suites for tests: \(suites.count) of \(Self.count) are up")
        fflush(nil)
      }
    }
    return suites
  }

  private func groups(of suite: StartedSuite) throws -> [String] {
    let answer = try suite.call("\(Self.groups)/ListGroups", "{}", "ada")
    return (answer["groups"]?.array ?? []).compactMap { ($0["group"] ?? $0)["name"]?.string }
  }

  private func connections(to cluster: PrivateCluster) async throws -> String {
    try await Administration.session(cluster.url) { session in
      try session.run("select count(*) from pg_stat_activity where backend_type = 'client backend'").first?[0] ?? ""
    }
  }
}
