import Blocks
import Environment
import Identifiers
import LendingDomain
import LendingOperations
import LendingStore
import SeededNumbers
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing
import Usernames

@Suite("random walks over the loans of one book", .timeLimit(.minutes(5)))
struct LoanWalkTests {
  private static let owner = TestUser.one(0)
  private static let users = (0..<4).map { TestUser.one($0) }
  private static let (lives, eventsOfEach) = (3, 40)

  @Test(
    "[LE-13] [C-9] [C-10] after random steps, account deletions, blocks and restarts of the service those who are left bring the book back",
    arguments: 1...6 as ClosedRange<UInt64>)
  func walk(seed: UInt64) async throws {
    try await TestDatabase.with([RunningLending.schema]) { database in
      var (chance, course) = (SplitMix(seed: seed), Course())
      let clock = ManualClock()
      for life in 0..<Self.lives {
        (chance, course) = try await live(life, on: database, clock, chance, course)
      }
    }
  }

  /// What the test knows, as the service has forgotten it.
  private struct Course: Sendable {
    var book: ListedBook?
    var gone: Set<UserID> = []
    var events: [String] = []
  }

  private func live(
    _ life: Int, on database: TestDatabase, _ clock: ManualClock, _ chance: SplitMix, _ course: Course
  ) async throws -> (SplitMix, Course) {
    let state = Gathered<(SplitMix, Course)>()
    try await RunningService.with(
      OpenLending.self, on: database, clock: clock, threads: 2, ["--jobs-look-interval", "250ms"]
    ) { service in
      let (runtime, catalog) = try #require(OpenLending.built.withLock { $0[database.url(of: "lending")] })
      // What the service was made of ends with it.
      defer { OpenLending.built.withLock { _ = $0.removeValue(forKey: database.url(of: "lending")) } }
      try await database.opened(as: RunningLending.schema.name) { own in
        let lending = RunningLending(
          database: database, clock: clock, service: service, own: own, runtime: runtime,
          catalog: catalog)
        var (chance, course) = (chance, course)
        if life == 0 {
          for user in Self.users { try await own.write(NameUsers([Naming(user.id, user.name)])) }
          course.book = try await lending.list(of: Self.owner)
        }
        let book = try #require(course.book)
        // What the last life left undone is done before the book is looked at.
        for _ in 0..<Self.eventsOfEach {
          clock.advance(by: .seconds(3_600))
          course.events.append(try await happen(to: book, lending, &chance, &course))
        }
        if life == Self.lives - 1 {
          try await bringBack(book, lending, course)
        }
        state.add((chance, course))
      }
    }
    return try #require(state.all.last)
  }

  // MARK: Events

  private func happen(
    to book: ListedBook, _ lending: RunningLending, _ chance: inout SplitMix, _ course: inout Course
  ) async throws -> String {
    let user = Self.users[Int.random(in: 0..<Self.users.count, using: &chance)]
    let other = Self.users[Int.random(in: 0..<Self.users.count, using: &chance)]
    let what = Int.random(in: 0..<100, using: &chance)
    let name = "\(user.name)"
    switch what {
    case 0:
      // The job is not waited for: a restart may come before it.
      guard course.gone.insert(user.id).inserted else { return "nothing" }
      try await lending.begin(toLeave: user)
      return "\(name) leaves"
    case 1:
      guard user.id != other.id, !course.gone.contains(user.id) else { return "nothing" }
      try await lending.inTransaction { tx in
        try await tx.execute(AddBlocks([Block(of: other.id, by: user.id)]))
        try await lending.operations.scheduleClosings([(user.id, other.id)], tx)
      }
      return "\(name) blocks \(other.name)"
    case 2:
      try await lending.inTransaction { tx in try await lending.operations.scheduleSettlement(tx) }
      return "the job again"
    case 3..<30:
      guard !course.gone.contains(user.id) else { return "nothing" }
      return "\(name) requests: \(try await outcome { try await lending.request(book, as: user) })"
    default:
      let ids = try await lending.sql("select id::text from loans order by id desc limit 4").compactMap { $0[0] }
      guard !ids.isEmpty, !course.gone.contains(user.id) else { return "nothing" }
      let id = ids[Int.random(in: 0..<ids.count, using: &chance)]
      let step = Int.random(in: 0..<8, using: &chance)
      return "\(name) step \(step): \(try await outcome { try await take(step, id, user, lending) })"
    }
  }

  private func take(_ step: Int, _ id: String, _ user: TestUser, _ lending: RunningLending) async throws {
    let (loans, options) = (lending.loans, user.options)
    switch step {
    case 0: _ = try await loans.withdrawRequest(WithdrawRequestRequest(loanID: id), options)
    case 1: _ = try await loans.declineRequest(DeclineRequestRequest(loanID: id), options)
    case 2:
      _ = try await loans.acceptRequest(AcceptRequestRequest(loanID: id, pickup: RunningLending.place), options)
    case 3: _ = try await loans.changePickup(ChangePickupRequest(loanID: id, pickup: RunningLending.place), options)
    case 4: _ = try await loans.cancelLoan(CancelLoanRequest(loanID: id), options)
    case 5: _ = try await loans.recallLoan(RecallLoanRequest(loanID: id), options)
    case 6: _ = try await loans.confirmHandover(ConfirmHandoverRequest(loanID: id, isbn: ListedBook.isbn), options)
    default: _ = try await loans.confirmReturn(ConfirmReturnRequest(loanID: id, isbn: ListedBook.isbn), options)
    }
  }

  /// `done`, or the reason of a refusal; the service never answers otherwise.
  private func outcome<R>(_ call: () async throws -> R) async throws -> String {
    do {
      _ = try await call()
      return "done"
    } catch let status as Status {
      #expect(
        [.failedPrecondition, .permissionDenied, .notFound, .resourceExhausted].contains(status.code), "\(status)")
      return status.reason ?? "\(status)"
    }
  }

  // MARK: The end

  private func bringBack(_ book: ListedBook, _ lending: RunningLending, _ course: Course) async throws {
    let said = Comment(rawValue: course.events.joined(separator: ", "))
    #expect(try await lending.jobsAreDone(), said)
    for (id, state) in try await lending.sql("select id::text, state from loans").map({ ($0[0] ?? "", $0[1] ?? "") }) {
      for user in Self.users where !course.gone.contains(user.id) {
        switch state {
        case "PENDING": for step in 0...1 { _ = try await outcome { try await take(step, id, user, lending) } }
        case "ACCEPTED": _ = try await outcome { try await take(4, id, user, lending) }
        case "BORROWED": _ = try await outcome { try await take(7, id, user, lending) }
        default: break
        }
      }
    }
    let status = try await lending.status(of: book)
    let isOwnerHere = !course.gone.contains(Self.owner.id)
    #expect(status == "AVAILABLE" || (status == nil && !isOwnerHere), said)
    let open = try await lending.value("select count(*) from loans where state in ('PENDING', 'ACCEPTED', 'BORROWED')")
    #expect(open == "0", said)
    // Loans without parties are deleted with their steps, so that the numbers have gaps then.
    if course.gone.count < 2 { try await lending.expectWholeHistory(of: book) }
    // What the catalog was told is where the book is.
    let last = try await lending.told(BookStatusChanged.self).last { $0.bookID == book.text }?.status
    if status != nil { #expect(last == nil || last == .available, said) }
    for table in ["loans where owner_id", "loans where borrower_id", "books where owner_id", "history where actor_id"] {
      let gone = course.gone.map { "'\($0)'" } + ["null"]
      #expect(
        try await lending.value("select count(*) from \(table) in (\(gone.joined(separator: ", ")))") == "0", said)
    }
  }
}
