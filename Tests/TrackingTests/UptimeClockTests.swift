import Environment
import Identifiers
import Postgres
import TestSupport
import Testing
import TrackingStore

@Suite("since when positions can arrive")
struct UptimeClockTests {
  @Test("[TR-10] 29 B1: a replica whose clock is ahead hides no pause, and what it stored before hides none either")
  func ahead() async throws {
    try await RunningTracking.with { tracking in
      let real = SystemClock().now
      let pause = Duration.seconds(5)
      func holds(_ condition: String) async throws -> Bool {
        try await tracking.value("select \(condition) from uptime") == "t"
      }
      try await tracking.own.write(
        StayAwake(now: real + .seconds(86_400), mayHavePaused: false, pausedBefore: real + .seconds(86_400) - pause))
      #expect(try await holds("seen_at <= clock_timestamp()"))

      try await tracking.sql("update uptime set seen_at = clock_timestamp() + interval '1 day'")
      try await tracking.own.write(StayAwake(now: real, mayHavePaused: true, pausedBefore: real - pause))
      #expect(try await holds("seen_at <= clock_timestamp()"))
      #expect(try await holds("serving_since >= to_timestamp(\(real.wholeSeconds))"), "it may have paused")
    }
  }
}
