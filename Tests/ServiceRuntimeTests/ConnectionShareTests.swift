import Foundation
import Postgres
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("A service's share of the database's connections", .ownThreads, .timeLimit(.minutes(5)))
struct ConnectionShareTests {
  private func connections(_ url: String) async throws -> Int {
    try await Administration.session(url) { session in
      let rows = try session.run(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name like 'notes%'
        """)
      return rows.first?.first?.flatMap { $0 }.flatMap { Int($0) } ?? -1
    }
  }

  @Test("is taken where it is less than the service would like, and said in a line when it starts")
  func scaledDown() async throws {
    let url = try await freshDatabase("share")
    let service = try ServiceProcess(
      ["--plaintext", "--threads=8", "--database-processes=200"], environment: ["TANDEM_DATABASE_URL": url])
    let line = try await service.line(containing: "fewer connections")
    let fields = try #require(
      try line.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: String])
    // The test's server allows 2,000, of which three are kept for superusers.
    #expect(fields["max_connections"] == "2000" && fields["allowed"] == "9" && fields["wanted"] == "64")
    #expect(fields["taken"] == "9" && fields["pipelined_loops"] == "1", "\(fields)")
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    #expect(try await connections(url) <= 9)
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }

  @Test("is refused in one line where the service could not work with it")
  func tooFew() async throws {
    let url = try await freshDatabase("narrow")
    let ending = try await ServiceProcess.run([
      "--plaintext", "--database-connections=5", "--database-url", url,
    ])
    #expect(ending.status == 1)
    #expect(
      ending.complaints.contains {
        $0.hasPrefix(
          "notes: the database allows 5 connections (max_connections is 2000) and at least 6 are needed: raise "
            + "max_connections, or the CONNECTION LIMIT")
      }, "\(ending.complaints)")
  }
}
