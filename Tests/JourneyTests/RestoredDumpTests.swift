import Environment
import Foundation
import Identifiers
import LoopExecutor
import MatchingStore
import Postgres
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemMatching
import TestSupport
import Testing
import Timestamps

/// A suite whose database was dumped while users acted, and restored on another server, where they continue.
@Suite("a dump in a new cluster", .ownThreads, .serialized, .timeLimit(.minutes(30)))
struct RestoredDumpTests {
  /// What is different on the other server.
  enum Difference: CaseIterable {
    /// It has counted fewer transactions than the one that was dumped.
    case lowerCounter
    /// It has counted more.
    case higherCounter
    /// It has counted more, and the schema of lending comes from an earlier dump than the others', whose consumers are ahead of it.
    case earlierLending
  }

  private static let isbn = "9780441172719"
  private static let bookCount = 12
  private static let users = 3
  private static let steps = 40
  private static let services = ["identity", "catalog", "lending", "matching"]

  @Test(
    "[LE-13] [LE-15] [C-11] B8: loans go on where they were, the catalog agrees with lending, and no list of changes skips any",
    arguments: Difference.allCases)
  func restored(difference: Difference) async throws {
    let first = try PrivateCluster.start()
    if difference == .lowerCounter { try await Self.spendTransactions(on: first) }
    let schemas = ThreeServices.schemas + [TestSchema(MatchingSchema.name, MatchingSchema.migrations)]
    let stage = try await TestDatabase.with(schemas, at: first.url) {
      try await before($0, on: first, difference)
    }
    defer { for dump in stage.dumps { dump.remove() } }
    try first.stopServer(mode: "immediate")

    let second = try PrivateCluster.start()
    if difference != .lowerCounter { try await Self.spendTransactions(on: second) }
    let database = try await TestDatabase.restored(stage.dumps, to: second, schemas: Self.services)
    try await after(database, on: second, stage, difference)
  }

  /// More than a new server has counted by far.
  private static func spendTransactions(on cluster: PrivateCluster) async throws {
    try await Administration.session(cluster.url) { session in
      _ = try session.run(
        "do $$ begin for n in 1..50000 loop perform pg_current_xact_id(); commit; end loop; end $$")
    }
  }

  /// What outlives the first server.
  private struct Stage: Sendable {
    let members: [ThreeServices.Member]
    let books: [String]
    /// What clients of the members kept: some before the dump, and some when much was lost with the first server.
    let mirrors: [[ChangeMirror]]
    /// In the order in which they are restored.
    let dumps: [DatabaseDump]
  }

  private func before(
    _ database: TestDatabase, on cluster: PrivateCluster, _ difference: Difference
  ) async throws -> Stage {
    let services = try KillableServices(database, on: cluster, Self.services)
    defer { services.end() }
    return try await services.whileConnected(to: database) { suite, lists in
      var members: [ThreeServices.Member] = []
      for number in 0..<Self.users {
        members.append(
          try await eventually("somebody has joined") {
            do { return try await suite.join("reader\(number)") } catch let status as Status
              where status.code == .unavailable
            {
              return nil
            }
          })
      }
      var books: [String] = []
      for number in 0..<Self.bookCount {
        let owner = members[number % Self.users]
        books.append(try await suite.add("Book \(number)", isbn: Self.isbn, as: owner).bookID)
      }
      _ = try await act(members, books, suite, seed: 1)
      let gym = try await suite.gym(at: TrainingStage.point)
      try await plan(members, at: gym, in: 1, lists)
      let early = difference == .earlierLending ? try DatabaseDump(of: database.url, schema: "lending") : nil
      let earlyMirrors = try await mirrors(of: members, lists)
      // The catalog has not applied the events from here on when the dump is taken, and the dump contains some of the concurrent changes.
      services.stop("catalog")
      _ = try await act(members, books, suite, seed: 2)
      let (users, listed) = (members, books)
      async let acted = act(users, listed, suite, seed: 3)
      let whole = try DatabaseDump(of: database.url)
      _ = try await acted
      try services.start("catalog")
      try await plan(members, at: gym, in: 3, lists)
      let lateMirrors = try await mirrors(of: members, lists)
      return Stage(
        members: users, books: listed, mirrors: [earlyMirrors, lateMirrors],
        dumps: [whole] + (early.map { [$0] } ?? []))
    }
  }

  /// Gives each user a group and a session of training that begins in some hours.
  private func plan(
    _ members: [ThreeServices.Member], at gym: String, in hours: Int64, _ lists: ChangeLists
  ) async throws {
    let start = SystemClock().now + .seconds(hours * 3_600)
    for member in members {
      if hours == 1 { try await lists.three.createProfile(of: member) }
      _ = try await GroupsClient(lists.three.identity).createGroup(
        CreateGroupRequest(group: Group(name: "In \(hours) h")), member.options)
      try await eventually("matching knows the user and the profile") {
        do {
          return try await SessionsClient(lists.matching).postSession(
            PostSessionRequest(
              startTime: start.timestamp, endTime: (start + .seconds(1_800)).timestamp, gymID: gym, focus: .cardio,
              level: .advanced), member.options)
        } catch let status as Status where [.unavailable, .failedPrecondition].contains(status.code) { return nil }
      }
    }
  }

  private func mirrors(of members: [ThreeServices.Member], _ lists: ChangeLists) async throws -> [ChangeMirror] {
    var mirrors: [ChangeMirror] = []
    for member in members {
      var mirror = ChangeMirror()
      try await mirror.catchUp(with: lists, as: member)
      mirrors.append(mirror)
    }
    return mirrors
  }

  /// Has the clients of before read what changed, until they have what a new client would have.
  private func catchUp(
    _ mirrors: [ChangeMirror], of members: [ThreeServices.Member], _ lists: ChangeLists
  ) async throws {
    for (kept, member) in zip(mirrors, members) {
      var mirror = kept
      let returns = try await mirror.catchUp(with: lists, as: member)
      for list in ChangeList.allCases {
        #expect(returns[list] == (list == .own ? .begunAnew : .refused), "\(list): what the token counts is gone")
      }
      var difference: [ChangeList] = []
      let agrees = try await eventually {
        try await mirror.catchUp(with: lists, as: member)
        var new = ChangeMirror()
        try await new.catchUp(with: lists, as: member)
        difference = ChangeList.allCases.filter { new.things[$0] != mirror.things[$0] }
        return difference.isEmpty
      }
      #expect(agrees, "\(difference)")
    }
  }

  private func after(
    _ database: TestDatabase, on cluster: PrivateCluster, _ stage: Stage, _ difference: Difference
  ) async throws {
    let services = try KillableServices(database, on: cluster, Self.services)
    defer { services.end() }
    try await services.whileConnected(to: database) { suite, lists in
      var members: [ThreeServices.Member] = []
      for member in stage.members { members.append(try await suite.loginAgain(member)) }
      let acknowledged = try await act(members, stage.books, suite, seed: 4)
      #expect(acknowledged.count > Self.users)
      let complaints = try await LoanLedger(suite).complaints(acknowledged)
      #expect(complaints.isEmpty, "\(complaints.prefix(10))")
      // A comment on a return that lending has lost stays on the book.
      let disagreements =
        difference == .earlierLending ? LoanLedger.disagreementsOnStatus : LoanLedger.disagreements
      let agrees = try await eventually { try await suite.sql(disagreements).isEmpty }
      let remaining = agrees ? [] : try await suite.sql(disagreements)
      #expect(agrees, "\(remaining.prefix(10))")
      for mirrors in stage.mirrors { try await catchUp(mirrors, of: members, lists) }
    }
  }

  /// Lets all users act at random; every refusal must be explained by a rule.
  private func act(
    _ members: [ThreeServices.Member], _ books: [String], _ suite: ThreeServices, seed: UInt64
  ) async throws -> [LoanActor.Acknowledgement] {
    let (acknowledged, surprises) = (Gathered<LoanActor.Acknowledgement>(), Gathered<String>())
    let listed = Gathered<String>()
    for book in books { listed.add(book) }
    try await withThrowingTaskGroup { group in
      for (number, member) in members.enumerated() {
        let actor = LoanActor(
          suite: suite, chance: SeededRandomness(seed: seed * 100 + UInt64(number)), books: listed,
          departed: Gathered(), stepsToDeparture: nil, isbn: Self.isbn, acknowledged: acknowledged, surprises: surprises
        )
        group.addTask { try await actor.act(Self.steps, as: member) }
      }
      try await group.waitForAll()
    }
    #expect(surprises.all.isEmpty, "\(surprises.all.prefix(5))")
    return acknowledged.all
  }
}

extension KillableServices {
  /// Runs `body` with clients of the three, and with the lists of these and of matching.
  fileprivate func whileConnected<R: Sendable>(
    to database: TestDatabase, _ body: (ThreeServices, ChangeLists) async throws -> R
  ) async throws -> R {
    let loops = LoopGroup(threads: 1)
    let suite = ThreeServices(
      database: database, identity: try client(of: "identity", on: loops),
      catalog: try client(of: "catalog", on: loops),
      lending: try client(of: "lending", on: loops))
    let lists = ChangeLists(three: suite, matching: try client(of: "matching", on: loops))
    let result: Result<R, any Error>
    do { result = .success(try await body(suite, lists)) } catch { result = .failure(error) }
    for client in [suite.identity, suite.catalog, suite.lending, lists.matching] { await client.close() }
    try await loops.shutdown()
    return try result.get()
  }
}

extension TestDatabase {
  /// A database of dumps, on a server that has never had it.
  ///
  /// - Parameter dumps: the first of the whole database, others of schemas that they replace.
  fileprivate static func restored(
    _ dumps: [DatabaseDump], to cluster: PrivateCluster, schemas: [String]
  ) async throws -> TestDatabase {
    let roles = schemas.map { ServiceRole(service: $0, password: TestDatabase.password) }
    try await Migrator.provision(adminURL: cluster.url, services: roles)
    try dumps.first?.restore(to: cluster.url)
    let database = TestDatabase(at: cluster.url)
    for dump in dumps.dropFirst() {
      try await database.sql("drop schema lending cascade")
      try dump.restore(to: database.url)
    }
    return database
  }
}
