import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("operators and reports", .ownThreads, .timeLimit(.minutes(5)))
struct ReportTrailTests {
  private func with(
    _ body: @escaping @Sendable (RunningIdentity, OperatorsClient) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let client = identity.connected(by: try certificates.client(of: "identity", as: "operator"))
        let result: Result<Void, any Error>
        do { result = .success(try await body(identity, OperatorsClient(client))) } catch { result = .failure(error) }
        await client.close()
        try result.get()
      }
    }
  }

  private func report(_ user: LoginResponse, by reporter: LoginResponse, _ identity: RunningIdentity) async throws {
    _ = try await identity.safety.reportUser(
      ReportUserRequest(userID: user.userID, reason: .spam, remarks: "Too many letters."), .user(reporter))
  }

  private static let noReport = "0197a5a0-0000-7000-8000-000000000009"

  @Test("[ID-26] operators read a report with its history and close it, which keeps who did and why")
  func closes() async throws {
    try await with { identity, operators in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await report(ada, by: grace, identity)
      let open = try await operators.listReports(ListReportsRequest()).reports
      let id = try #require(open.first).reportID
      identity.clock.advance(by: .seconds(60))

      let closed = try await operators.closeReport(
        CloseReportRequest(reportID: id, reason: "Locked the account", actor: "root"))
      let shown = try await operators.getReport(GetReportRequest(reportID: id))
      let still = try await operators.listReports(ListReportsRequest()).reports
      let all = try await operators.listReports(ListReportsRequest(userID: ada.userID, includeClosed: true)).reports

      #expect(open.count == 1 && open[0].username == "ada" && open[0].reporterUsername == "grace.h")
      #expect(open[0].closeTime == nil && open[0].changes.map(\.change) == ["RECEIVED"])
      #expect(closed.closeTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(closed.changes.map(\.actor) == ["identity", "root"])
      #expect(closed.changes.map(\.reason) == ["", "Locked the account"] && closed.changes[1].change == "CLOSED")
      #expect(shown == closed && still.isEmpty && all == [closed])
    }
  }

  @Test("[ID-26] of 16 operators who close a report at once one does, and the others see who it was")
  func race() async throws {
    try await with { identity, operators in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await report(ada, by: grace, identity)
      let id = try #require(try await operators.listReports(ListReportsRequest()).reports.first).reportID

      let answers = try await withThrowingTaskGroup(of: Report.self) { group in
        for number in 1...16 {
          group.addTask {
            try await operators.closeReport(
              CloseReportRequest(reportID: id, reason: "Seen", actor: "operator \(number)"))
          }
        }
        return try await group.reduce(into: [Report]()) { $0.append($1) }
      }

      #expect(Set(answers.map { $0.changes.map(\.actor) }).count == 1 && answers[0].changes.count == 2)
    }
  }

  @Test("[ID-26] [C-2] bad fields are named all at once, an unknown report is not found, a user is refused")
  func refuses() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()

      let bad = try await refusal {
        try await operators.closeReport(
          CloseReportRequest(
            reportID: "1", reason: " ", actor: String(repeating: "a", count: 101), requestID: "none"))
      }
      let unknown = try await refusal {
        try await operators.closeReport(CloseReportRequest(reportID: Self.noReport, reason: "Seen", actor: "root"))
      }
      let unread = try await refusal { try await operators.getReport(GetReportRequest(reportID: Self.noReport)) }
      let user = try await refusal {
        try await OperatorsClient(identity.client).getReport(GetReportRequest(reportID: Self.noReport), .user(ada))
      }

      #expect(Set(bad.fields) == ["report_id", "reason", "actor", "request_id"])
      #expect(unknown.code == .notFound && unknown.reason == "REPORT_NOT_FOUND" && unread.reason == unknown.reason)
      #expect(user.code == .permissionDenied)
    }
  }

  @Test(
    "[ID-26] [C-4] a close that is repeated with its request_id has the first answer; with another body it is refused")
  func repeated() async throws {
    try await with { identity, operators in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await report(ada, by: grace, identity)
      let id = try #require(try await operators.listReports(ListReportsRequest()).reports.first).reportID
      var call = CloseReportRequest(
        reportID: id, reason: "Seen", actor: "root", requestID: "0197a5a0-0000-4000-8000-000000000001")

      let first = try await operators.closeReport(call)
      let again = try await operators.closeReport(call)
      call.reason = "Other"
      let other = try await refusal { try await operators.closeReport(call) }

      #expect(first == again && other.reason == "REQUEST_ID_REUSED")
    }
  }

  @Test(
    "[ID-26] the history cannot be rewritten; [C-9] it goes with the reported account, the reporter's name with theirs")
  func trail() async throws {
    try await with { identity, operators in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await report(ada, by: grace, identity)

      await #expect(throws: (any Error).self) { try await identity.sql("update report_changes set actor = 'eve'") }
      _ = try await operators.deleteUser(DeleteUserRequest(userID: grace.userID))
      let nameless = try #require(try await operators.listReports(ListReportsRequest()).reports.first)
      _ = try await operators.deleteUser(DeleteUserRequest(userID: ada.userID))

      #expect(nameless.reporterUserID.isEmpty && nameless.reporterUsername.isEmpty && nameless.username == "ada")
      #expect(try await identity.value("select count(*) from report_changes") == "0")
    }
  }
}
