import Dispatch
import Foundation
import GRPCHealth
import Logging
import LoopExecutor
import NIOHTTP1
import NotesV1
import Synchronization
import TTRPC
import TTRPCClient
import Telemetry
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("The watchdog of event loops", .timeLimit(.minutes(5)))
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
    try await until("the loop is reported") { reports.withLock { $0.contains(0) } }
    release.signal()
    await watchdog.stop()
    // A busy machine may keep the other loop from turning, too.
    #expect(reports.withLock { $0.count { $0 == 0 } } == 1)
    try await loops.shutdown()
  }

  @Test("A1: a process whose loop hangs logs the method and the user, and where its threads are, and ends")
  func endsProcess() async throws {
    let service = try ServiceProcess(
      ["--plaintext", "--threads=1", "--loop-timeout=2s"],
      environment: ["TANDEM_DATABASE_URL": try await freshDatabase("hanging")])
    let listening = try #require(try await service.line(containing: "\"listening\""))
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(listening.utf8)) as? [String: String])
    let rpc = try #require(HostPort(fields["rpc"] ?? ""))
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(host: rpc.host, port: rpc.port, security: .plaintext, on: loops.executors[0])

    let refused = await #expect(throws: Status.self) {
      try await NotesClient(client).createNote(
        CreateNoteRequest(note: Note(text: "hang"), requestID: UUID().uuidString.lowercased()),
        CallOptions.token("ada", timeout: .seconds(60)))
    }
    let ending = try await service.ending()

    #expect(refused?.code == .unavailable)
    #expect(ending.status == 70)
    let line = ending.complaints.first { $0.contains("an event loop hangs") }
    #expect(line?.contains("notes.v1.Notes/CreateNote") == true && line?.contains("ada") == true, "\(line ?? "")")
    let stacks = ending.complaints.filter { $0.contains("NIO-ELT") }
    #expect(stacks.contains { $0.contains("nanosleep") }, "\(ending.complaints)")
    await client.close()
    try await loops.shutdown()
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
