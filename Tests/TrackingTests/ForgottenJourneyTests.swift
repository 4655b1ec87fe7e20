import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain

@Suite("journeys that are forgotten", .timeLimit(.minutes(5)))
struct ForgottenJourneyTests {
  @Test(
    "[TR-13] a journey that is never ended is deleted after the retention time, and its groups see the user INACTIVE")
  func forgotten() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      let groups = Gathered<GroupID>()
      try await RunningTracking.with(on: database, clock) { tracking in
        groups.add(try await tracking.group(1, of: [.ada, .alan]))
        try await tracking.depart(seenBy: [groups.all[0]])
        try await tracking.report(52.4, 13.4)
        // An alert is for its user to end.
        groups.add(try await tracking.group(2, of: [.grace, .alan]))
        _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.grace.options)
      }
      for (day, state, left) in [(29, TandemTracking.MemberState.warning, "2"), (31, .inactive, "1")] {
        clock.set(ManualClock().now + .seconds(day * 86_400))
        try await RunningTracking.with(on: database, clock) { tracking in
          try await until("\(state), with \(left) left on day \(day)") {
            let ada = try await tracking.member(.ada, in: groups.all[0], seenBy: .alan)
            let count = try await tracking.value("select count(*) from journeys")
            return ada.state == state && count == left
          }
          let ada = try await tracking.member(.ada, in: groups.all[0], seenBy: .alan)
          #expect(ada.journeyID.isEmpty == (left == "1"))
          #expect(try await tracking.member(.grace, in: groups.all[1], seenBy: .alan).state == .sos)
          #expect(try await tracking.counts()["journeyEnded"] == nil, "nobody is notified")
        }
      }
    }
  }
}
