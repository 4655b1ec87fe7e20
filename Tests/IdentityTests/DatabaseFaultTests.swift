import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// What callers of the running service see while its database has a fault, and after it.
@Suite("faults of the database", .ownThreads, .timeLimit(.minutes(5)))
struct DatabaseFaultTests {
  /// Runs `body` with the service on a server of its own.
  private func withService(
    room: PrivateCluster.Room = .plenty,
    _ body: @escaping @Sendable (RunningIdentity, PrivateCluster) async throws -> Void
  ) async throws {
    let cluster = try PrivateCluster.start(room: room)
    try await TestDatabase.with([RunningIdentity.schema], at: cluster.url) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), Self.unlimited) { identity in
        try await body(identity, cluster)
      }
    }
    try cluster.stopServer(mode: "immediate")
  }

  /// Registers as often as it takes: the database is what refuses.
  private static let unlimited =
    ["address", "domain"].flatMap { ["--registrations-of-\($0)", "1000000/1h"] }
    + ["--registrations-in-all", "1000000/1h"]

  private static func user(_ number: Int) -> User {
    User(email: "user\(number)@example.com", username: "user\(number)")
  }

  /// Registers until it succeeds; returns the refusals until then.
  private func registerEventually(_ identity: RunningIdentity, _ number: Int) async throws -> [Status] {
    let refusals = Gathered<Status>()
    _ = try await eventually("somebody can register") { () -> Bool? in
      do {
        _ = try await identity.accounts.register(Self.user(number).registration)
        return true
      } catch let status as Status {
        // It was done, but the response was lost.
        if status.code == .alreadyExists { return true }
        refusals.add(status)
        return nil
      }
    }
    return refusals.all
  }

  /// Whether the account exists: the right password is refused only because the address is not verified. A login reads by another
  /// connection than a registration writes by, which may come back later.
  private func isStored(_ identity: RunningIdentity, _ number: Int) async throws -> Bool {
    try await eventually("a login is judged") { () -> Bool? in
      let status = try await refusal { try await identity.accounts.login(Self.user(number).login) }
      return status.code == .unavailable ? nil : status.reason == "EMAIL_NOT_VERIFIED"
    }
  }

  @Test("[C-3] a server that crashes and comes back: UNAVAILABLE meanwhile, and what was acknowledged is there")
  func restarted() async throws {
    try await withService { identity, cluster in
      let acknowledged = Gathered<Int>()
      let refused = Gathered<Status>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<8 {
          group.addTask {
            var number = caller * 10_000
            while acknowledged.all.count < 60 {
              number += 1
              do {
                _ = try await identity.accounts.register(Self.user(number).registration)
                acknowledged.add(number)
              } catch let status as Status { refused.add(status) }
            }
          }
        }
        try await until("some are registered") { acknowledged.all.count >= 20 }
        try cluster.stopServer(mode: "immediate")
        try await until("one is refused") { !refused.all.isEmpty }
        try cluster.startServer()
        try await group.waitForAll()
      }
      for number in acknowledged.all { #expect(try await isStored(identity, number), "\(number)") }
      #expect(
        refused.all.allSatisfy { $0.code == .unavailable && $0.retryAfter != nil }, "\(Set(refused.all.map(\.code)))")
    }
  }

  @Test("[C-3] a server that takes no changes: UNAVAILABLE for those who change something, and nobody else")
  func readOnly() async throws {
    try await withService { identity, cluster in
      @Sendable func set(_ value: String) async throws {
        try await Administration.session(cluster.url) { session in
          _ = try session.run("set default_transaction_read_only to off")
          _ = try session.run("alter system set default_transaction_read_only to \(value)")
          _ = try session.run("select pg_reload_conf()")
        }
      }
      #expect(try await registerEventually(identity, 1).isEmpty)
      try await set("on")
      _ = try await eventually("changes are refused") { () -> Bool? in
        let call = User(email: "x@example.com", username: "nobody").registration
        do { _ = try await identity.accounts.register(call) } catch let status as Status {
          return status.code == .unavailable && status.reason == "DATABASE_READ_ONLY" ? true : nil
        }
        return nil
      }
      _ = try await identity.profiles.listProfileOptions(ListProfileOptionsRequest())
      try await set("off")
      let refusals = try await registerEventually(identity, 2)
      #expect(refusals.allSatisfy { $0.reason == "DATABASE_READ_ONLY" && $0.retryAfter == .seconds(1) })
      for number in [1, 2] { #expect(try await isStored(identity, number)) }
    }
  }

  @Test("[C-3] a server without connections to spare: UNAVAILABLE until it has some")
  func outOfConnections() async throws {
    try await withService { identity, cluster in
      @Sendable func limit(_ count: Int) async throws {
        try await Administration.session(cluster.url) { session in
          _ = try session.run("alter database faults connection limit \(count)")
          _ = try session.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tandem_identity'")
        }
      }
      #expect(try await registerEventually(identity, 1).isEmpty)
      try await limit(0)
      _ = try await eventually("it is unavailable for want of connections") { () -> Bool? in
        let status = try await refusal { try await identity.accounts.register(Self.user(2).registration) }
        #expect(status.code == .unavailable && status.retryAfter == .seconds(1))
        return status.reason == "DATABASE_UNAVAILABLE" ? true : nil
      }
      try await limit(-1)
      let refusals = try await registerEventually(identity, 3)
      #expect(refusals.allSatisfy { $0.code == .unavailable })
      for number in [1, 3] { #expect(try await isStored(identity, number)) }
    }
  }

  @Test("[C-3] a server whose disk is full: RESOURCE_EXHAUSTED until there is room, and what was acknowledged is there")
  func fullDisk() async throws {
    try await withService(room: .smallDisk(mebibytes: 6)) { identity, cluster in
      try await Administration.session(identity.database.url) { session in
        _ = try session.run("create tablespace small location '\(cluster.smallDisk)'")
        _ = try session.run("alter table identity.accounts set tablespace small")
        _ = try session.run("alter index identity.accounts_pkey set tablespace small")
        _ = try session.run("create table ballast (bytes text) tablespace small")
        _ = try session.run("alter table ballast alter column bytes set storage plain")
      }
      #expect(try await registerEventually(identity, 1).isEmpty)
      try await identity.fill()
      let acknowledged = Gathered<Int>()
      let full = try await eventually("there is no room left") { () -> Status? in
        for number in 2..<2_000 {
          do {
            _ = try await identity.accounts.register(Self.user(number).registration)
            acknowledged.add(number)
          } catch let status as Status { return status }
        }
        return nil
      }
      #expect(full.code == .resourceExhausted && full.reason == "DATABASE_FULL" && full.retryAfter == .seconds(60))
      #expect(try await isStored(identity, 1))
      try await identity.sql("drop table public.ballast")
      _ = try await registerEventually(identity, 3_000)
      for number in [1, 3_000] + acknowledged.all { #expect(try await isStored(identity, number), "\(number)") }
    }
  }
}

extension RunningIdentity {
  /// Fills the small disk.
  fileprivate func fill() async throws {
    // One that fails gives its room back; these stay, down to the last page.
    for rows in [256, 64, 16, 4, 1] {
      do {
        while true {
          try await sql("insert into public.ballast select repeat('x', 7000) from generate_series(1, \(rows))")
        }
      } catch let error as PostgresError { #expect(error.sqlState == .diskFull) }
    }
  }
}
