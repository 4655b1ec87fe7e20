import Identifiers
import TTRPC
import TandemMatching
import Testing
import Timestamps

/// Training sessions that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern sessions; `false` for any other.
  mutating func performWithSessions(_ step: String) async throws -> Bool {
    guard step == "bar" else { return false }
    _ = try await bar(of: subject)
    return true
  }

  /// Prepares a name in braces that concerns sessions: of the owner, joined by the member.
  mutating func prepareSession(_ name: String) async throws {
    switch name {
    case "sessionStart", "sessionEnd":
      let start = nextStart()
      values["sessionStart"] = "\(start)"
      values["sessionEnd"] = "\(start + .seconds(15 * 60))"
    case "posted": values[name] = try await posted()
    case "match": values[name] = try await match()
    case "meeting":
      let id = try await match()
      // In its check-in window, beside others of the same users.
      try await change(id, "starts_at = starts", by: 300)
      values[name] = id
    case "training":
      let id = try await match()
      try await change(id, "state = 'SUCCESSFUL', starts_at = starts", by: -1_800)
      values[name] = id
    case "bar", "barredId":
      let bar = try await bar(of: world.cast.stranger)
      (values["bar"], values["barredId"]) = (bar, world.cast.stranger.id)
    default: break
    }
  }

  private var sessions: SessionsClient { get throws { SessionsClient(try world.server("matching").client()) } }

  /// A quarter of an hour that no other session has.
  private func nextStart() -> Instant { world.clock.now + .seconds(7_200 + 900 * world.numbers.next()) }

  private mutating func posted() async throws -> String {
    if values["gym"] == nil { try await prepareTraining("gym") }
    let start = nextStart()
    let post = PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(15 * 60)).timestamp, gymID: values["gym"] ?? "",
      focus: .yoga, level: .expert)
    return try await sessions.postSession(post, try await world.cast.owner.options(at: world.identity)).sessionID
  }

  private mutating func match() async throws -> String {
    let id = try await posted()
    _ = try await sessions.joinSession(
      JoinSessionRequest(sessionID: id), try await world.cast.member.options(at: world.identity))
    return id
  }

  /// Moves a session, whose participants keep the slots that they took, to so many seconds from now.
  private func change(_ id: String, _ assignment: String, by seconds: Int) async throws {
    let start = "to_timestamp(\(world.clock.now.wholeSeconds + Int64(seconds)))"
    try await world.sql(
      """
      update matching.sessions
      set \(assignment.replacing("= starts", with: "= \(start)")), ends_at = \(start) + interval '15 minutes'
      where id = '\(id)'
      """)
  }

  private func bar(of user: CastMember) async throws -> String {
    let id = world.someID()
    let now = "to_timestamp(\(world.clock.now.wholeSeconds))"
    try await world.sql(
      """
      insert into matching.bars (id, user_id, session_id, cause, began_at, ends_at)
      values (
        '\(id)', '\(user.id)', '\(world.someID())', 'NO_SHOW', \(now) - interval '73 hours', \(now) - interval '1 hour'
      );
      insert into matching.bar_changes (bar_id, number, change, actor, reason, happened_at)
      values ('\(id)', 1, 'IMPOSED', 'matching', '', \(now))
      """)
    return id
  }
}
