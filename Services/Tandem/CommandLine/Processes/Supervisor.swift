import AsyncSignal
import Glibc
import Subprocess
import UnixSignals

/// Keeps programs running: starts them, shows their output, restarts those that end unexpectedly, stops all.
///
/// Each program has a task in ``run()``.
@MainActor
final class Supervisor {
  /// A request of the user at the keyboard, or by a signal.
  enum Request: Comparable {
    case none, stop, stopAtOnce
  }

  private(set) var members: [Member] = []
  private(set) var request = Request.none
  private let signals: UnixSignalsSequence
  private let log: LineLog
  private let (started, starts) = AsyncStream.makeStream(of: Member.self)
  /// Wakes the one that waits for a request, or for the end of a program.
  private let change = AsyncSignal()
  /// Set once the programs are being stopped and their ends are expected.
  private var isStopping = false

  /// From now on a signal to our process is a request.
  init(log: LineLog) async {
    self.log = log
    signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
  }

  /// Runs the programs that are started, until the task is cancelled, which kills those that still run.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { for await _ in self.signals { await self.takeRequest() } }
      for await member in started { group.addTask { await self.keep(member) } }
    }
  }

  /// Starts a program that runs until ``stopAll(grace:stages:)``.
  ///
  /// - Parameter restarts: whether it is restarted when it ends; otherwise see ``Member/end``.
  @discardableResult
  func start(_ plan: ChildPlan, restarts: Restarts) -> Member {
    let member = Member(plan, restarts: restarts)
    members.append(member)
    starts.yield(member)
    return member
  }

  /// Whether a program that ends unasked is started again.
  enum Restarts {
    case always, never
  }

  /// From now on the member is restarted when it ends unexpectedly.
  func heal(_ member: Member) { member.restarts = .always }

  /// How long a wait sleeps between looks at a file, whose change nothing reports.
  private static let look = Duration.milliseconds(5)

  /// Waits until `condition` holds, a stop is requested, or the deadline passes; returns whether the condition holds.
  ///
  /// - Parameter deadline: `nil` if the condition only changes with a request or the end of a program.
  @discardableResult
  func wait(until deadline: ContinuousClock.Instant?, for condition: () throws -> Bool) async rethrows -> Bool {
    while true {
      if try condition() { return true }
      if request != .none && !isStopping { return false }
      if let deadline, ContinuousClock.now >= deadline { return false }
      if deadline == nil { await change.wait() } else { _ = await slept(for: Self.look) }
    }
  }

  /// Sleeps; returns whether it was for that long.
  private func slept(for time: Duration) async -> Bool {
    do { try await Task.sleep(for: time) } catch { return false }
    return true
  }

  private func takeRequest() {
    request = request == .none ? .stop : .stopAtOnce
    if request == .stopAtOnce { log.note("stopping at once") }
    change.send()
  }

  /// Runs the member until it ends and is not to be started again.
  private func keep(_ member: Member) async {
    while true {
      let startTime = ContinuousClock.now
      member.end = nil
      let end = await runOnce(member)
      if let pid = member.pid {
        // Its own children may still be there; the whole group is killed.
        kill(-pid, SIGKILL)
        member.pid = nil
      }
      member.end = end
      change.send()
      guard !isStopping, member.restarts == .always else { return }
      let pause = member.policy.nextPause(afterRunning: .now - startTime)
      log.note("\(member.plan.name) \(end) and is started again in \(seconds(pause))")
      guard await slept(for: pause), !isStopping else { return }
    }
  }

  private func runOnce(_ member: Member) async -> ProcessEnd {
    do {
      let result = try await Subprocess.run(
        member.plan.configuration, input: .none, output: .sequence, error: .combinedWithOutput
      ) { process in
        member.pid = process.processIdentifier.value
        // A stop may have come in the meantime.
        if isStopping { member.signal(member.plan.stopSignal) }
        var lines = LineSplitter()
        for try await bytes in process.standardOutput {
          for line in bytes.withUnsafeBytes({ lines.take($0) }) { log.take(line, from: member.plan) }
        }
        for line in lines.takeRest() { log.take(line, from: member.plan) }
      }
      return ProcessEnd(result.terminationStatus)
    } catch {
      return .failed("\(error)")
    }
  }

  /// Stops all, the last started first: requests the exit, waits for `grace`, then kills. A second request by the user kills at once.
  ///
  /// The programs of a stage stop together: `stages` has the plans' names, and each stage waits for the one before.
  func stopAll(grace: Duration, stages: [[String]]) async {
    isStopping = true
    let named = Set(stages.joined())
    for stage in [members.map(\.plan.name).filter { !named.contains($0) }] + stages {
      let stopping = members.filter { stage.contains($0.plan.name) }.reversed()
      for member in stopping { member.signal(member.plan.stopSignal) }
      let before = request
      await wait(until: .now + grace) {
        stopping.allSatisfy { $0.end != nil } || request > before || request == .stopAtOnce
      }
      for member in stopping where member.end == nil {
        let reason = request > before || request == .stopAtOnce ? "" : " does not end by itself and"
        log.note("\(member.plan.name)\(reason) is killed")
        member.signal(member.plan.killSignal)
      }
      await wait(until: .now + .seconds(5)) { stopping.allSatisfy { $0.end != nil } }
      for member in stopping { member.signalGroup(SIGKILL) }
      await wait(until: .now + .seconds(2)) { stopping.allSatisfy { $0.end != nil } }
    }
  }
}

/// A supervised program, including its restarts.
@MainActor
final class Member {
  let plan: ChildPlan
  fileprivate(set) var restarts: Supervisor.Restarts
  /// Its process; `nil` if there is none, or not yet.
  fileprivate(set) var pid: pid_t?
  /// How it ended last; `nil` if it has not ended.
  fileprivate(set) var end: ProcessEnd?
  fileprivate var policy = RestartPolicy()

  fileprivate init(_ plan: ChildPlan, restarts: Supervisor.Restarts) {
    self.plan = plan
    self.restarts = restarts
  }

  /// The processors' time that its process has had; zero if there is none.
  var work: Duration {
    guard let pid, let text = Files.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return .zero }
    // After the name, which may have spaces: fields 14 and 15 of proc(5).
    let ticks = text[end...].split(separator: " ").dropFirst(12).prefix(2).compactMap { Int($0) }.reduce(0, +)
    return .milliseconds(ticks * 1_000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Sends the signal to the process, if there is one.
  ///
  /// By its number, not by Subprocess, whose value of a process is valid only while the process's output is open.
  fileprivate func signal(_ number: CInt) {
    if let pid { kill(pid, number) }
  }

  /// Sends the signal to the process and its children, if there is one.
  fileprivate func signalGroup(_ number: CInt) {
    if let pid { kill(-pid, number) }
  }
}

/// "0.4 s".
func seconds(_ duration: Duration) -> String {
  let tenths = Int((duration / .milliseconds(100)).rounded())
  return "\(tenths / 10).\(tenths % 10) s"
}
