import Environment
import Foundation
import Identifiers
import Synchronization
import TTRPC
import TandemMatching
import TestSupport
import Timestamps

/// What users were told, to be compared with what is stored.
final class TrainingJournal: Sendable {
  /// What a user did.
  enum Act: String, Sendable {
    case post
    case join
    case cancel
    case checkIn
    case finish
    case feedback
  }

  /// A step that was acknowledged: it must be in the history whatever was killed.
  struct Acknowledgement: Sendable, Hashable {
    let act: Act
    let session: String
    let user: String
  }

  let acknowledged = Gathered<Acknowledgement>()
  /// Steps of which the user does not know whether they were taken.
  let unknown = Gathered<Acknowledgement>()
  /// Cancellations of a user's own unmatched posts by a join of what overlaps them ([MA-2]): they bar nobody.
  let withdrawn = Gathered<Acknowledgement>()
  /// Every step that was begun.
  let attempts = Gathered<Int>()
  /// Users who were refused as barred, with the end of the bar.
  let barred = Gathered<[String]>()
  /// The bars that an operator lifted.
  let lifted = Gathered<String>()
  /// The ids of sessions that were posted.
  let sessions = Gathered<String>()
  /// Refusals that no rule explains, and answers that differ from the first.
  let surprises = Gathered<String>()
}

/// A user who takes random steps with sessions.
final class Trainee: Sendable {
  private let stage: TrainingStage
  private let member: Mutex<ThreeServices.Member>
  private let id: String
  private let gym: String
  private let chance: SeededRandomness
  private let journal: TrainingJournal

  /// How often a request is repeated whose answer did not come.
  private static let repetitions = 200
  /// Refusals that are expected when users act concurrently, or a session is in another state.
  private static let expected: Set<String> = [
    "SLOT_TAKEN", "SLOT_INVALID", "SESSION_TAKEN", "SESSION_STARTED", "OWN_SESSION", "CHECKED_IN", "SESSION_OVER",
    "NOT_MATCHED", "OUTSIDE_CHECK_IN_WINDOW", "SESSION_NOT_FOUND", "NOT_SUCCESSFUL", "SESSION_NOT_STARTED",
    "FINISHED_TOO_EARLY", "JOINS_ENDED", "TOO_MANY_JOINS", "TOO_MANY_POSTS", "TOO_MANY_OPEN_POSTS",
    "NOT_FINISHED", "FEEDBACK_GIVEN", "TOO_FAR", "CONCURRENT_CHANGE",
  ]

  init(
    stage: TrainingStage, member: ThreeServices.Member, gym: String, chance: SeededRandomness, journal: TrainingJournal
  ) {
    (self.stage, self.gym, self.chance, self.journal) = (stage, gym, chance, journal)
    id = member.id
    self.member = Mutex(member)
  }

  private func below(_ count: Int) -> Int { Int(chance.uint64() % UInt64(count)) }

  private func pick<Element>(_ list: [Element]) -> Element? { list.isEmpty ? nil : list[below(list.count)] }

  private var options: CallOptions { .token(member.withLock { $0.token }, timeout: .seconds(5)) }

  private var newRequestID: String { "\(chance.uuid7(at: SystemClock().now))" }

  /// Takes so many steps.
  func act(_ times: Int) async throws {
    for number in 0..<times {
      journal.attempts.add(number)
      switch below(14) {
      case 0...2: try await post()
      case 3...6: try await join()
      case 7: try await cancel()
      case 8...11: try await checkIn()
      case 12: try await finish()
      default: try await giveFeedback()
      }
    }
  }

  // MARK: Steps

  private func post() async throws {
    // Most begin soon enough to check in at once.
    let minutes = below(3) == 0 ? 16 + below(120) : 1 + below(14)
    let start = stage.now + .seconds(Int64(minutes) * 60 + Int64(below(60)))
    let request = PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(Int64(15 + below(16)) * 60)).timestamp, gymID: gym,
      focus: .cardio, level: .advanced, requestID: newRequestID)
    let posted = try await attempt(.post, "") { [self] in try await stage.sessions.postSession(request, options) }
    guard let posted else { return }
    note(.post, posted.sessionID)
    journal.sessions.add(posted.sessionID)
    // A client that has lost the answer repeats the request.
    guard below(10) == 0 else { return }
    let again = try await attempt(.post, "") { [self] in try await stage.sessions.postSession(request, options) }
    if let again, again.sessionID != posted.sessionID { journal.surprises.add("posted twice: \(posted.sessionID)") }
  }

  private func join() async throws {
    guard let session = pick(journal.sessions.all.suffix(12)) else { return }
    let request = JoinSessionRequest(sessionID: session, requestID: newRequestID)
    let joined = try await attempt(.join, session) { [self] in try await stage.sessions.joinSession(request, options) }
    guard let joined else { return }
    note(.join, session)
    for post in joined.withdrawnSessionIds {
      journal.withdrawn.add(.init(act: .cancel, session: post, user: id))
    }
  }

  private func cancel() async throws {
    // Seldom, so that most sessions go on to their judgement.
    guard below(4) == 0, let session = pick(try await mine()) else { return }
    let request = CancelSessionRequest(sessionID: session.sessionID, requestID: newRequestID)
    let answer = try await attempt(.cancel, session.sessionID) { [self] in
      try await stage.sessions.cancelSession(request, options)
    }
    if answer != nil { note(.cancel, session.sessionID) }
  }

  private func checkIn() async throws {
    guard let session = pick(try await mine().filter { $0.state == .matched }) else { return }
    var point = TrainingStage.point
    if below(10) == 0 { point.latitude += 0.001 }
    let request = CheckInRequest(
      sessionID: session.sessionID, point: point, accuracyM: 5, requestID: newRequestID)
    let answer = try await attempt(.checkIn, session.sessionID) { [self] in
      try await stage.sessions.checkIn(request, options)
    }
    if answer != nil { note(.checkIn, session.sessionID) }
  }

  private func finish() async throws {
    guard let session = pick(try await mine().filter { $0.state == .successful && !$0.finished }) else { return }
    let request = FinishSessionRequest(sessionID: session.sessionID, requestID: newRequestID)
    let answer = try await attempt(.finish, session.sessionID) { [self] in
      try await stage.sessions.finishSession(request, options)
    }
    // One whose end has passed is finished without being marked.
    if answer != nil, let end = try session.endTime.map({ try Instant(wire: $0) }), stage.now < end {
      note(.finish, session.sessionID)
    }
  }

  private func giveFeedback() async throws {
    let past = try await list(.past).filter { $0.state == .successful && !$0.feedbackGiven }
    guard let session = pick(past) else { return }
    let request = SubmitFeedbackRequest(
      sessionID: session.sessionID, rating: Int32(1 + below(5)), requestID: newRequestID)
    let answer = try await attempt(.feedback, session.sessionID) { [self] in
      try await stage.sessions.submitFeedback(request, options)
    }
    if answer != nil { note(.feedback, session.sessionID) }
  }

  private func mine() async throws -> [TandemMatching.Session] { try await list(.upcoming) }

  private func list(_ time: SessionTime) async throws -> [TandemMatching.Session] {
    let answer = try await attempt(nil, "") { [self] in
      try await stage.sessions.listMySessions(ListMySessionsRequest(time: time, pageSize: 50), options)
    }
    return answer?.sessions ?? []
  }

  // MARK: Calls

  private func note(_ act: TrainingJournal.Act, _ session: String) {
    journal.acknowledged.add(.init(act: act, session: session, user: id))
  }

  /// Makes a call until it is answered; returns `nil` if it was refused.
  private func attempt<R: Sendable>(
    _ act: TrainingJournal.Act?, _ session: String, _ call: @Sendable () async throws -> R
  ) async throws -> R? {
    for _ in 0..<Self.repetitions {
      do { return try await call() } catch let status as Status where status.code == .unauthenticated {
        let again = try await stage.three.loginAgain(member.withLock { $0 })
        member.withLock { $0 = again }
      } catch let status as Status where status.isPassing {
        // The killed process is started again soon; the pause is not measured.
        try await Task.sleep(for: .milliseconds(20))
      } catch let status as Status {
        note(status, act)
        return nil
      }
    }
    if let act { journal.unknown.add(.init(act: act, session: session, user: id)) }
    return nil
  }

  private func note(_ status: Status, _ act: TrainingJournal.Act?) {
    if status.reason == "BARRED" {
      journal.barred.add([id, status.errorInfo?.metadata["bar_end_time"] ?? ""])
    } else if Self.expected.isDisjoint(with: [status.reason].compactMap(\.self) + status.fieldReasons) {
      journal.surprises.add("\(act.map(\.rawValue) ?? "list"): \(status)")
    }
  }
}
