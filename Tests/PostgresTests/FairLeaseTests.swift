import LoopExecutor
import TestSupport
import Testing

@testable import Postgres

/// Whether what one user waits for keeps others from the database.
@Suite("Connections shared by user", .timeLimit(.minutes(5)))
struct FairLeaseTests {
  private static let ada = LoopLane(loops.executors[0], owner: WorkOwner(.client, "user ada"))
  private static let grace = LoopLane(loops.executors[0], owner: WorkOwner(.client, "user grace"))

  // MARK: Shares

  @Test("a client holds half at most, all clients leave some to jobs, and jobs leave one")
  func shares() {
    var shares = LeaseShares(size: 8)
    let (ada, grace) = (WorkOwner(.client, "user ada"), WorkOwner(.client, "user grace"))
    let (service, jobs) = (WorkOwner(.service, "service catalog"), WorkOwner(.background, "jobs"))
    func take(_ owner: WorkOwner) -> Int {
      var taken = 0
      while shares.mayTake(owner) {
        shares.take(owner)
        taken += 1
      }
      return taken
    }
    #expect(take(ada) == 4 && take(grace) == 2 && take(service) == 0)
    #expect(shares.mayTake(jobs) && shares.mayTake(nil))
    shares.leave(ada)
    #expect(shares.mayTake(jobs) && take(service) == 1)
    #expect(take(jobs) == 7)
  }

  @Test("however few there are, a client may have one", arguments: 1...3)
  func few(size: Int) {
    var shares = LeaseShares(size: size)
    let ada = WorkOwner(.client, "user ada")
    #expect(shares.mayTake(ada))
    shares.take(ada)
    #expect(!shares.mayTake(ada))
    #expect(shares.mayTake(WorkOwner(.client, "user grace")) == (size > 1))
    shares.leave(ada)
    #expect(shares.mayTake(ada))
  }

  @Test("where the server allows few connections, no loop has a single one for transactions")
  func fewOnLoops() {
    let wanted = PoolSizes(pipelined: 2, transactions: 8, slow: 4)
    let sizes = PoolSizes(pipelined: 1, transactions: 3, slow: 1)
    let used = sizes.used(of: 2, wanting: wanted)
    #expect(used == (1, 1))
    #expect(sizes.parts(at: 0, loops: 2, wanting: wanted) == (3, 1))
    #expect(sizes.parts(at: 1, loops: 2, wanting: wanted) == (0, 0))
    #expect(wanted.parts(at: 1, loops: 2, wanting: wanted) == (4, 2))
  }

  // MARK: Waits for locks

  /// How a call may come to wait for a lock.
  enum Way: CaseIterable { case transaction, write, groupedWrite }

  @Test("[S-2] 16 calls of one user that wait for a lock leave others' calls quick", arguments: Way.allCases)
  func lockOfOneUser(_ way: Way) async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.transactionsPerLoop = 3 }) { (database) async throws in
          let waiting = try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 21))
            let waiting = (0..<16).map { _ in
              Task(executorPreference: Self.ada) {
                switch way {
                case .transaction: try await database.transaction { _ = try await $0.rows(WaitForLock(lock: 21)) }
                case .write: try await database.write(WaitForLock(lock: 21))
                case .groupedWrite: try await database.groupedWrite(WaitForLock(lock: 21))
                }
              }
            }
            try await until { try await tx.first(LockWaiters(lock: 21)) ?? 0 > 0 }
            let clock = ContinuousClock()
            var slowest = Duration.zero
            for id in 1...60 as ClosedRange<Int64> {
              let began = clock.now
              try await Task(executorPreference: Self.grace) {
                switch id % 3 {
                case 0: try await database.transaction { try await $0.execute(AddNote(id: id)) }
                case 1: try await database.write(AddNote(id: id))
                default: _ = try await database.rows(Square(number: id))
                }
              }.value
              slowest = max(slowest, clock.now - began)
            }
            // They wait for as long as a statement may take; grace waits for the 100 ms that a shared write has for a
            // lock, a few times.
            #expect(slowest < .seconds(6), "\(slowest)")
            #expect(try await tx.first(LockWaiters(lock: 21)) ?? 0 > 0)
            return waiting
          }
          for one in waiting { try await one.value }
        }
      }
    }
  }

  // MARK: Slow searches

  @Test("[S-1] 500 slow searches of one user leave others'")
  func slowSearches() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(
        test.url(of: "notes"),
        {
          $0.slowPerLoop = 1
          $0.slowQueueLimit = 200
          $0.leaseTimeout = .seconds(60)
        }
      ) { (database) async throws in
        let (answered, refused) = (Gathered<Int>(), Gathered<Int>())
        let searches = (0..<500).map { number in
          Task(executorPreference: Self.ada) {
            do {
              _ = try await database.rows(LongSearch())
              answered.add(number)
            } catch let error as PostgresError where error.isOverloaded { refused.add(number) }
          }
        }
        // On a busy machine some are answered before all have come.
        await until { refused.all.count + answered.all.count >= 290 }
        let first = answered.all.count
        for search in 1...5 {
          let (before, after) = try await Task(executorPreference: Self.grace) {
            let before = answered.all.count
            _ = try await database.rows(LongSearch())
            return (before, answered.all.count)
          }.value
          // Hers comes after the one that runs, not after the two hundred that wait. On a busy machine some more are answered before hers is
          // asked for, and before the answer is looked at.
          #expect(after - before <= 20, "search \(search)")
        }
        #expect(!searches.isEmpty && answered.all.count - first < 150)
        for search in searches { search.cancel() }
        for search in searches { _ = await search.result }
      }
    }
  }

  // MARK: A server that hangs

  @Test("[O-1] a connection whose statement has no answer is given up, and the primary that took over is found")
  func frozenPrimary() async throws {
    let primary = try PrivateCluster.start()
    try await Administration.session(primary.url) { session in
      _ = try session.run("create table notes (id bigint primary key, text text, parent bigint)")
    }
    let standby = try primary.startStandby()
    let url =
      "postgresql://postgres@\(primary.address),\(standby.address)/postgres?target_session_attrs=read-write"
    try await Database.with(
      url,
      {
        // Long enough for statements of a server that does not hang, on a busy machine.
        $0.statementTimeout = .seconds(3)
        $0.slowStatementTimeout = .seconds(3)
        $0.answerTime = .seconds(2)
        $0.connectTimeout = .seconds(2)
        $0.timeout = .seconds(60)
      }
    ) { (database) async throws in
      try await database.write(AddNote(id: 1))
      try await database.transaction { _ = try await $0.rows(NoteIDs()) }
      #expect(try await database.rows(NoteIDs()) == [1])
      try primary.freeze()
      let transaction = Task(executorPreference: loops.executors[0]) {
        await failure { try await database.transaction { _ = try await $0.rows(NoteIDs()) } }
      }
      #expect(await failure { try await database.write(AddNote(id: 2)) }?.isUnavailable == true)
      #expect(await transaction.value?.isUnavailable == true)
      try standby.promote()
      await until { (try? await database.write(PutNote(id: 3))) != nil }
      await until { (try? await database.transaction { try await $0.rows(NoteIDs()) })?.contains(3) == true }
      try primary.thaw()
    }
    try primary.stopServer(mode: "immediate")
    try standby.stopServer(mode: "immediate")
  }
}

/// Takes a moment, as a search does.
struct LongSearch: SingleRowStatement {
  typealias Row = Bool
  static let sql = "select pg_sleep(0.02) is not null"
  static let pace = Pace.slow
}
