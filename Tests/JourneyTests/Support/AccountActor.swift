import Environment
import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// A user who continues the same session again and again ([ID-6]), and whose account is deleted and replaced from time to time.
struct AccountActor: Sendable {
  let run: LongRun
  let suite: ThreeServices
  let chance: SeededRandomness
  /// The ids of users who deleted their accounts.
  let departed: Gathered<String>
  /// The ids of users who did not.
  let stayed: Gathered<String>

  private static let pace = Duration.milliseconds(400)
  /// After so many continuations an account is deleted.
  private static let continuations = 60
  /// Within which a repeated continuation gets the same answer.
  private static let window = Duration.seconds(60)

  /// Acts as one new user after the other.
  ///
  /// - Parameter name: what the users' names begin with.
  func act(_ name: String) async throws {
    var number = 0
    while run.goesOn {
      number += 1
      let member = try await suite.joinPatiently("\(name).\(number)")
      run.acknowledge(.accounts)
      var token = try await login(member)
      for _ in 0..<Self.continuations {
        guard try await run.pause(Self.pace) else { break }
        token = try await continued(token, of: member)
      }
      guard run.goesOn else { return stayed.add(member.id) }
      try await suite.leave(member)
      run.acknowledge(.accounts)
      departed.add(member.id)
    }
  }

  private func login(_ member: ThreeServices.Member) async throws -> String {
    try await suite.patiently("\(member.name) is logged in") {
      do {
        let call = LoginRequest(emailOrUsername: member.name, password: ThreeServices.password)
        let token = try await suite.accounts.login(call, CallOptions(timeout: .seconds(10))).refreshToken
        run.acknowledge(.accounts)
        return token
      } catch is Status { return nil }
    }
  }

  /// The next refresh token, of a call that is repeated until it is answered.
  private func continued(_ token: String, of member: ThreeServices.Member) async throws -> String {
    let call = RefreshRequest(refreshToken: token, requestID: "\(chance.uuid7(at: SystemClock().now))")
    let begin = ContinuousClock.now
    while true {
      do {
        let next = try await suite.accounts.refresh(call, CallOptions(timeout: .seconds(5))).refreshToken
        run.acknowledge(.accounts)
        return next
      } catch let status as Status where status.isPassing {
        // What was killed is started again soon; the pause is not measured.
        try await Task.sleep(for: .milliseconds(50))
      } catch let status as Status {
        // Of a call that was repeated for too long the session has ended.
        if .now - begin < Self.window { run.surprises.add("a session of \(member.id) was not continued: \(status)") }
        return try await login(member)
      }
    }
  }

  /// A line for each account that is lost or stayed, and for each welcome that did not come once ([ID-65]).
  static func complaints(departed: [String], stayed: [String], _ suite: ThreeServices) async throws -> [String] {
    let found = Set(
      try await suite.sql("select id from identity.accounts where verified_at is not null").compactMap { $0[0] })
    let welcomes = try await suite.sql(
      """
      select accounts.id || ' has ' || count(notifications.id) || ' welcomes'
      from identity.accounts
      left join identity.notifications
        on notifications.account_id = accounts.id and notifications.kind = 'WELCOME'
      where accounts.verified_at is not null
      group by accounts.id having count(notifications.id) <> 1
      """)
    return departed.filter { found.contains($0) }.map { "the account \($0) was deleted and is there" }
      + stayed.filter { !found.contains($0) }.map { "the account \($0) is lost" } + welcomes.compactMap { $0[0] }
  }
}
