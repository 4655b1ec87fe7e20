import Dispatch
import Foundation
import GRPCHealth
import Logging
import LoopExecutor
import NIOHTTP1
import Synchronization
import TTRPC
import Telemetry
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("The watchdog of event loops", .timeLimit(.minutes(2)))
struct LoopWatchdogTests {
  @Test("a loop that hangs makes /livez fail, and one that turns again is live again")
  func liveness() async throws {
    let loops = LoopGroup(threads: 2)
    let watchdog = LoopWatchdog(loops, limit: .seconds(600), every: .milliseconds(20)) { _, _ in
      Issue.record("the limit is far away")
    }
    let pages = AdminPages(readiness: Readiness(), registry: PrometheusRegistry()) { watchdog.unhealthyReason }
    #expect(watchdog.start())
    let release = DispatchSemaphore(value: 0)
    loops.executors[1].loop.execute { release.wait() }
    let page = try await eventually("it is not live") {
      pages.page(.GET, "/livez").flatMap { $0.status == .serviceUnavailable ? $0 : nil }
    }
    #expect(page.body.contains("event loop 1 has not turned"), "\(page.body)")
    release.signal()
    try await until("it is live") { pages.page(.GET, "/livez")?.status == .ok }
    await watchdog.stop()
    try await loops.shutdown()
  }

  @Test("a loop that hangs beyond the limit is reported, once")
  func report() async throws {
    let loops = LoopGroup(threads: 2)
    let reports = Mutex<[Int]>([])
    let watchdog = LoopWatchdog(loops, limit: .milliseconds(500), every: .milliseconds(20)) { index, _ in
      reports.withLock { $0.append(index) }
    }
    let release = DispatchSemaphore(value: 0)
    loops.executors[0].loop.execute { release.wait() }
    #expect(watchdog.start())
    try await until("the loop is reported") { reports.withLock { $0 } == [0] }
    release.signal()
    await watchdog.stop()
    #expect(reports.withLock { $0 } == [0])
    try await loops.shutdown()
  }

  @Test("a process whose loop hangs logs where its threads are, and ends")
  func endsProcess() async throws {
    let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      let logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
      #expect(ThreadStacks.prepare())
      let loops = LoopGroup(threads: 1)
      let watchdog = LoopWatchdog(
        loops, limit: .milliseconds(500), every: .milliseconds(50),
        stalled: LoopWatchdog.endingProcess(after: .milliseconds(500), logger))
      #expect(watchdog.start())
      // The hang itself, in the process that should end: without the watchdog both would end, and its status would be another.
      loops.executors[0].loop.execute { sleep(60) }
      try await Task.sleep(for: .seconds(60))
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("an event loop hangs"))
    let stacks = log.split(separator: "\n").filter { $0.contains("NIO-ELT") }
    #expect(stacks.contains { $0.contains("nanosleep") }, "\(log)")
  }

  /// A call, as a loop knows it.
  private final class HangingWork: LoopWork {
    let mark: WorkMark? = WorkMark(WorkOwner(.client, "user 0198"))
    let number = 1
    func enqueue(_ job: consuming ExecutorJob) {}
  }

  @Test("A1: the log of a loop that hangs names the method and the user")
  func namesWork() async throws {
    let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      let logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
      #expect(ThreadStacks.prepare())
      // The first method of the process, so that its number is 1.
      var router = Router()
      router.unary(
        MethodDescriptor(service: "test.v1.Hang", name: "Hang", kind: .unary, access: .user, idempotent: true)
      ) { (request: HealthCheckRequest, _: CallContext) async throws -> HealthCheckRequest in request }
      let loops = LoopGroup(threads: 1)
      let watchdog = LoopWatchdog(
        loops, limit: .milliseconds(500), every: .milliseconds(50),
        stalled: LoopWatchdog.endingProcess(after: .milliseconds(500), logger))
      #expect(watchdog.start())
      let executor = loops.executors[0]
      // As above.
      executor.loop.execute { executor.run(HangingWork()) { sleep(60) } }
      try await Task.sleep(for: .seconds(60))
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let line = log.split(separator: "\n").first { $0.contains("an event loop hangs") }
    #expect(line?.contains("rpc=test.v1.Hang/Hang") == true && line?.contains("owner=user 0198") == true, "\(log)")
  }

  @Test("a process that was stopped as a whole, and goes on, has missed nothing")
  func paused() async throws {
    let service = try ServiceProcess(
      ["--plaintext", "--threads=1", "--loop-timeout=2s"],
      environment: ["TANDEM_DATABASE_URL": try await freshDatabase("paused")])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    service.signal(SIGSTOP)
    // Twice as long as a loop may hang. A stopped process cannot report anything, so the test has to wait; with a watchdog that measures
    // time instead of counting its checks the status below is 70.
    try await Task.sleep(for: .seconds(4))
    service.signal(SIGCONT)
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }
}
