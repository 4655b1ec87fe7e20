import Identifiers
import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

extension RunningMatching {
  /// A new link to a session.
  func share(_ session: Session, as user: TestUser = .ada) async throws -> ShareSessionResponse {
    try await sessions.shareSession(ShareSessionRequest(sessionID: session.sessionID), user.options)
  }

  /// What anyone who has a link sees, without login.
  func shared(_ token: String) async throws -> SharedSession {
    try await sessions.getSharedSession(GetSharedSessionRequest(token: token), CallOptions(timeout: .seconds(60)))
  }
}

@Suite("links to posted sessions", .timeLimit(.minutes(5)), .ownThreads)
struct SessionShareTests {
  @Test("[CA-15] 31 item 10: a link reads without login: focus, level, gym, start and length, but not the poster")
  func reads() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(in: 600, lasting: 90, focus: .yoga))
      try await matching.sql(
        """
        update sessions set gym_name = 'Ironworks', time_zone = 'Asia/Singapore',
          starts_at = '2037-01-12 17:30+00', ends_at = '2037-01-12 19:00+00'
        """)
      let link = try await matching.share(session)

      let seen = try await matching.shared(link.token)

      #expect(seen.sessionID == session.sessionID && seen.focus == .yoga && seen.level == .expert)
      #expect(seen.gymName == "Ironworks" && seen.timeZone == "Asia/Singapore" && seen.lengthS == 5_400)
      #expect(seen.preview?.title == "Training: yoga" && seen.preview?.picture == "session")
      #expect(seen.preview?.text == "Ironworks, Tuesday, 13 January 2037, 01:30 to 03:00")
      let text = "\(seen)"
      #expect(!text.contains("ada") && !text.contains("\(TestUser.ada.id)"))
      let stored = try await matching.value("select session_shares::text from session_shares")
      #expect(stored?.contains(link.token) == false)
    }
  }

  @Test("[CA-15] 31 item 10: the poster lists and revokes links; a revoked one is as unknown as any, others go on")
  func revokes() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let (first, second) = (try await matching.share(session), try await matching.share(session))
      let list = ListSessionSharesRequest(sessionID: session.sessionID)
      let listed = try await matching.sessions.listSessionShares(list, TestUser.ada.options)
      #expect(Set(listed.shares.map(\.shareID)) == Set([first, second].compactMap(\.share?.shareID)))
      let others = try await refusal { try await matching.sessions.listSessionShares(list, TestUser.grace.options) }
      #expect(others.reason == "SESSION_NOT_FOUND")

      let call = RevokeSessionShareRequest(shareID: first.share?.shareID ?? "")
      let foreign = try await refusal { try await matching.sessions.revokeSessionShare(call, TestUser.grace.options) }
      _ = try await matching.sessions.revokeSessionShare(call, TestUser.ada.options)

      let (revoked, unknown) = (
        try await refusal { try await matching.shared(first.token) },
        try await refusal { try await matching.shared("x") }
      )
      #expect(foreign.reason == "SHARE_NOT_FOUND" && revoked.reason == "SHARE_NOT_FOUND")
      #expect(revoked.code == unknown.code && revoked.message == unknown.message)
      #expect(try await matching.shared(second.token).sessionID == session.sessionID)
    }
  }

  @Test("[CA-15] 31 item 10: the link of a session that is matched, cancelled or has started leads nowhere")
  func gone() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(in: 300))
      let token = try await matching.share(session).token
      try await matching.join(session)
      #expect(try await refusal { try await matching.shared(token) }.reason == "SHARE_NOT_FOUND")
      #expect(try await refusal { try await matching.share(session) }.reason == "SESSION_TAKEN")
      #expect(try await refusal { try await matching.share(session, as: .grace) }.reason == "NOT_THE_OWNER")
      // It waits for another partner.
      try await matching.cancel(session, as: .grace)
      #expect(try await matching.shared(token).sessionID == session.sessionID)
      try await matching.cancel(session, as: .ada)
      #expect(try await refusal { try await matching.shared(token) }.reason == "SHARE_NOT_FOUND")
      #expect(try await refusal { try await matching.share(session) }.reason == "SESSION_NOT_FOUND")

      let next = try await matching.post(RunningMatching.request(in: 300))
      let second = try await matching.share(next).token
      matching.clock.advance(by: .seconds(300 * 60))
      #expect(try await refusal { try await matching.shared(second) }.reason == "SHARE_NOT_FOUND")
    }
  }

  @Test("[CA-15] 31 item 10: who takes a session over is not shared by the links of who left it")
  func takenOver() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(in: 300))
      let token = try await matching.share(session).token
      try await matching.join(session)
      try await matching.cancel(session, as: .ada)
      #expect(try await refusal { try await matching.shared(token) }.reason == "SHARE_NOT_FOUND")
      let theirs = try await matching.share(session, as: .grace).token
      #expect(try await matching.shared(theirs).sessionID == session.sessionID)
    }
  }

  @Test("[CA-15] [C-2] 31 item 10: bad ids are named, a dry run stores nothing, and after 30 unknown links others work")
  func bad() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let malformed = try await refusal {
        try await matching.sessions.shareSession(
          ShareSessionRequest(sessionID: "x", requestID: "y"), TestUser.ada.options)
      }
      #expect(Set(malformed.fieldReasons) == ["SESSION_ID_INVALID", "REQUEST_ID_INVALID"])
      let revocation = try await refusal {
        try await matching.sessions.revokeSessionShare(RevokeSessionShareRequest(shareID: "x"), TestUser.ada.options)
      }
      #expect(revocation.fieldReasons == ["SHARE_ID_INVALID"])
      #expect(try await refusal { try await matching.share(session, as: .grace) }.reason == "SESSION_NOT_FOUND")
      let tried = ShareSessionRequest(sessionID: session.sessionID, validateOnly: true)
      _ = try await matching.sessions.shareSession(tried, TestUser.ada.options)
      #expect(try await matching.value("select count(*) from session_shares") == "0")
      let token = try await matching.share(session).token
      for _ in 0..<30 {
        #expect(try await refusal { try await matching.shared("x") }.reason == "SHARE_NOT_FOUND")
      }
      #expect(try await refusal { try await matching.shared("x") }.reason == "TOO_MANY_ATTEMPTS")
      #expect(try await matching.shared(token).sessionID == session.sessionID)
    }
  }

  @Test("[CA-15] 31 item 10: a session has at most 20 links, also of many made at once; [C-4] repeating makes none")
  func limit() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let call = ShareSessionRequest(
        sessionID: session.sessionID, requestID: "0190f000-0000-7000-8000-00000000000c")
      let (first, second) = (
        try await matching.sessions.shareSession(call, TestUser.ada.options),
        try await matching.sessions.shareSession(call, TestUser.ada.options)
      )
      #expect(first == second)
      let results = await matching.race(32) { sessions, _ in
        try await sessions.shareSession(ShareSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
      }
      #expect(results.successes().count == 19)
      #expect(results.refusals().count == 13 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_SHARES" })
    }
  }
}
