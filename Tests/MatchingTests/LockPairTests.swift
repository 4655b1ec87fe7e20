import Blocks
import Foundation
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

/// Every two acts that lock users, sessions or jobs meet at each row that a third transaction holds: both have locked by then what they lock
/// before it. If one waits for it with what the other needs next, and the other comes first, the server finds a deadlock.
@Suite("every two acts meet", .timeLimit(.minutes(10)))
struct LockPairTests {
  /// What the acts find, and where they meet.
  enum Stage: CaseIterable, Sendable {
    /// A session whose offer to the guest has ended, and another that the guest posted for the same hour.
    case offered
    /// A session of the owner and the guest, ten minutes before its start.
    case matched
    /// The same, when it is to be judged.
    case due

    var acts: [Act] {
      switch self {
      case .offered: [.join, .joinOther, .endOffer, .cancel, .enterList, .leaveList, .deleteAccount, .block]
      case .matched: [.checkIn, .guestChecksIn, .guestCancels, .enterList, .leaveList, .deleteAccount, .block]
      case .due: [.judge, .checkIn, .giveFeedback, .deleteAccount, .block]
      }
    }

    var places: [Place] { self == .offered ? Place.allCases : [.owner, .guest, .session] }
  }

  enum Act: Sendable {
    case join
    /// The owner joins the guest's, and withdraws the session.
    case joinOther
    case endOffer
    case cancel
    case guestCancels
    case enterList
    case leaveList
    /// The guest's.
    case deleteAccount
    /// Of the owner, by the guest.
    case block
    case checkIn
    case guestChecksIn
    case judge
    case giveFeedback
  }

  /// A row.
  enum Place: CaseIterable, Sendable {
    case owner
    case guest
    case session
    case other
  }

  /// The users and sessions of one meeting.
  struct Scene: Sendable {
    let matching: RunningMatching
    let owner: TestUser
    let guest: TestUser
    /// Waits for the session after the guest, or the guest's partner.
    let waiter: TestUser
    let stranger: TestUser
    let session: Session
    let other: Session?
  }

  @Test(
    "[MA-5] [MA-8] [MA-10] [MA-17] B9: every two acts on one session meet at each row and never deadlock",
    arguments: Stage.allCases)
  func meetings(_ stage: Stage) async throws {
    try await RunningMatching.with { matching in
      var number = 0
      for place in stage.places {
        for first in stage.acts {
          for second in stage.acts where second != first {
            let scene = try await Self.scene(stage, number, matching)
            try await scene.meet([first, second], at: place)
            number += 1
          }
        }
      }
      #expect(number == stage.places.count * stage.acts.count * (stage.acts.count - 1))
      #expect(try await matching.database.loggedDeadlocks() ?? [] == [])
    }
  }

  private static func scene(_ stage: Stage, _ number: Int, _ matching: RunningMatching) async throws -> Scene {
    let users = (0..<5).map { TestUser.one(number * 5 + $0) }
    try await matching.introduce(users)
    let (owner, guest, waiter, stranger, leaver) = (users[0], users[1], users[2], users[3], users[4])
    let minute = Int((matching.clock.now - RunningMatching.start) / .seconds(60)) + 1
    let request = RunningMatching.request(in: minute + (stage == .offered ? 300 : 12))
    let session = try await matching.post(request, as: owner)
    try await matching.join(session, as: stage == .offered ? leaver : guest)
    var other: Session?
    if stage == .offered {
      for user in [guest, waiter] { try await matching.wait(for: session, as: user) }
      try await matching.cancel(session, as: leaver)
      other = try await matching.post(request, as: guest)
    } else {
      try await matching.wait(for: session, as: waiter)
    }
    // What is due is done when an act says so.
    try await matching.sql("update jobs set ready_at = '2100-01-01'")
    let pause: Duration = .seconds(60 * (stage == .offered ? 16 : stage == .matched ? 1 : 40))
    try await matching.advance(by: pause)
    return Scene(
      matching: matching, owner: owner, guest: guest, waiter: waiter, stranger: stranger, session: session, other: other
    )
  }
}

extension LockPairTests.Scene {
  /// Begins two acts, one after the other, while a transaction holds the row of `place`.
  func meet(_ acts: [LockPairTests.Act], at place: LockPairTests.Place) async throws {
    try await matching.database.meet(acts, at: "\(place)", through: matching.own) {
      try await hold(place, $0)
    } perform: {
      try await perform($0)
    }
  }

  private func hold(_ place: LockPairTests.Place, _ tx: Transaction) async throws {
    switch place {
    case .owner: try await tx.execute(LockUser(userID: owner.id))
    case .guest: try await tx.execute(LockUser(userID: guest.id))
    case .session: try await tx.execute(LockSession(sessionID: try #require(SessionID(session.sessionID))))
    case .other: try await tx.execute(LockSession(sessionID: try #require(SessionID(other?.sessionID ?? ""))))
    }
  }

  private func perform(_ act: LockPairTests.Act) async throws {
    let id = session.sessionID
    switch act {
    case .join: try await matching.join(session, as: waiter)
    case .joinOther: try await matching.join(try #require(other), as: owner)
    case .endOffer: try await run("end_offer")
    case .cancel: try await matching.cancel(session, as: owner)
    case .guestCancels: try await matching.cancel(session, as: guest)
    case .enterList: try await matching.wait(for: session, as: stranger)
    case .leaveList:
      _ = try await matching.waitingLists.leaveWaitingList(LeaveWaitingListRequest(sessionID: id), waiter.options)
    case .deleteAccount:
      try await CleanupTests.mark(guest, matching)
      try await matching.own.repeatableTransaction { tx in try await matching.operations.scheduleCleanup(tx) }
      try await done("clean_up_users")
    case .block:
      try await matching.own.repeatableTransaction { tx in
        try await tx.execute(AddBlocks([Block(of: owner.id, by: guest.id)]))
        try await matching.operations.scheduleParting([Parting(of: owner, by: guest, at: matching.clock.now)], tx)
      }
      try await done("part_blocked_users")
    case .checkIn: try await matching.checkIn(session, as: owner)
    case .guestChecksIn: try await matching.checkIn(session, as: guest)
    case .judge: try await run("judge_sessions")
    case .giveFeedback:
      _ = try await matching.sessions.submitFeedback(
        SubmitFeedbackRequest(sessionID: id, rating: 5), owner.options)
    }
  }

  /// Runs the jobs of a kind that are due.
  private func run(_ kind: String) async throws {
    try await matching.sql("update jobs set ready_at = due_at where kind = '\(kind)'")
    try await done(kind)
  }

  private func done(_ kind: String) async throws {
    try await matching.database.untilJobsAreDone(of: "matching", at: matching.clock.now, kind: kind)
  }
}
