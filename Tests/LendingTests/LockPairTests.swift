import Blocks
import Foundation
import Identifiers
import Jobs
import LendingStore
import Postgres
import TTRPC
import TandemLending
import TestServices
import TestSupport
import Testing

/// Every two acts that lock users, books or jobs meet at each row that a third transaction holds: both have locked by then what they lock before
/// it. If one waits for it with what the other needs next, and the other comes first, the server finds a deadlock.
@Suite("every two acts meet", .timeLimit(.minutes(10)))
struct LockPairTests {
  /// What the acts find.
  enum Stage: CaseIterable, Sendable {
    /// A book that two users have asked for.
    case pending
    /// A book that is promised to one of them.
    case accepted
    /// A book that was recalled, and is to be given back.
    case borrowed

    var acts: [Act] {
      switch self {
      case .pending: [.request, .accept, .decline, .withdraw, .hold, .retire, .guestLeaves, .ownerLeaves, .block]
      case .accepted: [.changePickup, .cancel, .ownerHandsOver, .guestTakes, .guestLeaves, .ownerLeaves, .block]
      case .borrowed: [.ownerTakesBack, .guestReturns, .lastCall, .declare, .guestLeaves, .ownerLeaves]
      }
    }
  }

  enum Act: Sendable {
    case request
    case accept
    case decline
    case withdraw
    case hold
    /// The catalog's, as the owner deletes it.
    case retire
    case changePickup
    case cancel
    case ownerHandsOver
    case guestTakes
    case ownerTakesBack
    case guestReturns
    case lastCall
    case declare
    /// Both delete the account.
    case guestLeaves
    case ownerLeaves
    /// Of the owner, by the guest.
    case block
  }

  /// A row.
  enum Place: CaseIterable, Sendable {
    case owner
    case guest
    case book
  }

  /// The users and the book of one meeting.
  struct Scene: Sendable {
    let lending: RunningLending
    let owner: TestUser
    let guest: TestUser
    let stranger: TestUser
    let book: ListedBook
    let loan: Loan
  }

  @Test("[LE-7] [LE-13] B9: every two acts on one book meet at each row and never deadlock", arguments: Stage.allCases)
  func meetings(_ stage: Stage) async throws {
    try await RunningLending.with { lending in
      var number = 0
      for place in Place.allCases {
        for first in stage.acts {
          for second in stage.acts where second != first {
            let scene = try await Self.scene(stage, number, lending)
            try await scene.meet([first, second], at: place)
            number += 1
          }
        }
      }
      #expect(number == Place.allCases.count * stage.acts.count * (stage.acts.count - 1))
      #expect(
        try await lending.value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
      #expect(try await lending.database.loggedDeadlocks() ?? [] == [])
    }
  }

  private static func scene(_ stage: Stage, _ number: Int, _ lending: RunningLending) async throws -> Scene {
    let users = (0..<4).map { TestUser.one(number * 4 + $0) }
    for user in users {
      try await lending.sql("insert into users (id, username) values ('\(user.id)', '\(user.name)')")
    }
    let (owner, guest, waiter, stranger) = (users[0], users[1], users[2], users[3])
    let book = try await lending.list(of: owner)
    var loan = try await lending.request(book, as: guest)
    switch stage {
    case .pending: _ = try await lending.request(book, as: waiter)
    case .accepted: loan = try await lending.accept(loan, as: owner)
    case .borrowed:
      _ = try await lending.accept(loan, as: owner)
      for user in [owner, guest] { loan = try await lending.confirmHandover(loan, as: user) }
      _ = try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), owner.options)
      // The clock stays: what is due is so by the database's clock too.
      try await lending.sql(
        "update loans set recalled_at = recalled_at - interval '15 days' where id = '\(loan.loanID)'; delete from jobs")
      try await lending.own.repeatableTransaction { tx in
        try await tx.schedule(
          Job(.lastCall, loan.loanID, at: lending.clock.now, key: loan.loanID), with: lending.runtime.jobs)
      }
    }
    // What is due is done when an act says so.
    try await lending.sql("update jobs set ready_at = '2100-01-01'")
    return Scene(lending: lending, owner: owner, guest: guest, stranger: stranger, book: book, loan: loan)
  }
}

extension LockPairTests.Scene {
  /// Begins two acts, one after the other, while a transaction holds the row of `place`.
  func meet(_ acts: [LockPairTests.Act], at place: LockPairTests.Place) async throws {
    try await lending.database.meet(acts, at: "\(place)", through: lending.own) {
      try await hold(place, $0)
    } perform: {
      try await perform($0)
    }
  }

  private func hold(_ place: LockPairTests.Place, _ tx: Transaction) async throws {
    switch place {
    case .owner: try await tx.execute(HoldUser(userID: owner.id))
    case .guest: try await tx.execute(HoldUser(userID: guest.id))
    case .book: _ = try await tx.first(LockedBook(bookID: book.id))
    }
  }

  private func perform(_ act: LockPairTests.Act) async throws {
    let (loans, id) = (lending.loans, loan.loanID)
    switch act {
    case .request: _ = try await lending.request(book, as: stranger)
    case .accept: _ = try await lending.accept(loan, as: owner)
    case .decline: _ = try await loans.declineRequest(DeclineRequestRequest(loanID: id), owner.options)
    case .withdraw: _ = try await loans.withdrawRequest(WithdrawRequestRequest(loanID: id), guest.options)
    case .hold: _ = try await loans.holdBook(HoldBookRequest(bookID: book.text), owner.options)
    case .retire: _ = try await loans.retireBook(.of(book), .catalog)
    case .changePickup:
      _ = try await loans.changePickup(
        ChangePickupRequest(loanID: id, pickup: RunningLending.place), owner.options)
    case .cancel: _ = try await loans.cancelLoan(CancelLoanRequest(loanID: id), guest.options)
    case .ownerHandsOver: _ = try await lending.confirmHandover(loan, as: owner)
    case .guestTakes: _ = try await lending.confirmHandover(loan, as: guest)
    case .ownerTakesBack: _ = try await lending.confirmReturn(loan, as: owner)
    case .guestReturns: _ = try await lending.confirmReturn(loan, as: guest)
    case .lastCall: try await run("last_call")
    case .declare: _ = try await loans.declareLoan(DeclareLoanRequest(loanID: id, outcome: .lost), owner.options)
    case .guestLeaves: try await leave(guest)
    case .ownerLeaves: try await leave(owner)
    case .block:
      try await lending.own.repeatableTransaction { tx in
        try await tx.execute(AddBlocks([Block(of: owner.id, by: guest.id)]))
        try await lending.operations.scheduleClosings([(guest.id, owner.id)], tx)
      }
      try await done("separate_people")
    }
  }

  private func leave(_ user: TestUser) async throws {
    try await lending.begin(toLeave: user)
    try await done("settle_departures")
  }

  /// Runs the jobs of a kind that are due.
  private func run(_ kind: String) async throws {
    try await lending.sql("update jobs set ready_at = due_at where kind = '\(kind)'")
    try await done(kind)
  }

  private func done(_ kind: String) async throws {
    try await lending.database.untilJobsAreDone(of: "lending", at: lending.clock.now, kind: kind)
  }
}

/// Locks the row of a user, so that those wait who share it.
private struct HoldUser: Statement {
  typealias Row = Void
  static let sql = "update users set username = username where id = $1"
  let userID: UserID

  func bind(_ p: inout Parameters) { p.append(userID) }
}
