import Glibc

/// Keeps programs running: starts them, shows their output, restarts those that end unexpectedly, stops all.
///
/// Everything happens on the calling thread, in ``turn(until:)``.
final class Supervisor {
  /// A request of the user at the keyboard, or by a signal.
  enum Request: Comparable {
    case none, stop, stopAtOnce
  }

  private(set) var members: [Member] = []
  private(set) var request = Request.none
  private let signals: Signals
  private let log: LineLog
  /// Set once the programs are being stopped and their ends are expected.
  private var isStopping = false

  init(log: LineLog) throws(Complaint) {
    self.log = log
    signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGCHLD])
    signal(SIGPIPE, SIG_IGN)
  }

  /// Starts a program that runs until ``stopAll(grace:)``.
  ///
  /// - Parameter restarts: whether it is restarted when it ends; otherwise see ``Member/end``.
  @discardableResult
  func start(_ plan: ChildPlan, restarts: Restarts) throws(Complaint) -> Member {
    let member = Member(plan, restarts: restarts, child: try ChildProcess(plan))
    members.append(member)
    return member
  }

  /// Whether a program that ends unasked is started again.
  enum Restarts {
    case always, never
  }

  /// From now on the member is restarted when it ends unexpectedly.
  func heal(_ member: Member) { member.restarts = .always }

  /// Runs the loop until `condition` holds, a stop is requested, or the deadline passes; returns whether the condition holds.
  @discardableResult
  func wait(until deadline: ContinuousClock.Instant?, for condition: () throws -> Bool) rethrows -> Bool {
    while true {
      if try condition() { return true }
      if request != .none && !isStopping { return false }
      if let deadline, ContinuousClock.now >= deadline { return false }
      turn(until: deadline)
    }
  }

  /// Waits for the next event, at most until `deadline`, and processes it.
  func turn(until deadline: ContinuousClock.Instant?) {
    let living = members.filter { $0.child != nil }
    var slots = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
    slots += living.map { pollfd(fd: $0.isOutputOpen ? $0.child?.output ?? -1 : -1, events: Int16(POLLIN), revents: 0) }
    let restart = members.compactMap(\.restartTime).min()
    let wakeTime = [deadline, restart].compactMap { $0 }.min()
    // The caller may wait for a file that a program writes, which no descriptor reports.
    let pause = wakeTime.map { max(.zero, min($0 - .now, Self.look)) } ?? (deadline == nil ? nil : Self.look)
    let milliseconds = pause.map { Int32(($0 / .milliseconds(1)).rounded(.up)) } ?? -1
    poll(&slots, nfds_t(slots.count), milliseconds)
    for (member, slot) in zip(living, slots.dropFirst()) where slot.revents != 0 { drain(member) }
    take(signals.take())
    for member in members { noteEnd(of: member) }
    startDueMembers()
  }

  /// How long the loop sleeps between looks at a file.
  private static let look = Duration.milliseconds(5)

  private func take(_ numbers: [CInt]) {
    for number in numbers where number != SIGCHLD {
      request = request == .none ? .stop : .stopAtOnce
      if request == .stopAtOnce { log.note("stopping at once") }
    }
  }

  private func drain(_ member: Member) {
    guard let child = member.child else { return }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(child.output, &chunk, chunk.count)
      if count > 0 {
        for line in member.lines.take(chunk[..<count]) { log.take(line, from: member) }
        continue
      }
      if count == 0 {
        member.isOutputOpen = false
        for line in member.lines.takeRest() { log.take(line, from: member) }
      }
      return
    }
  }

  private func noteEnd(of member: Member) {
    guard let child = member.child, let end = child.reap() else { return }
    drain(member)
    // Its own children may keep its output open; the whole group is killed.
    kill(-child.pid, SIGKILL)
    let time = ContinuousClock.now - member.startTime
    member.ended(end)
    guard !isStopping, member.restarts == .always else { return }
    let pause = member.policy.nextPause(afterRunning: time)
    member.restartTime = .now + pause
    log.note("\(member.plan.name) \(end) and is started again in \(seconds(pause))")
  }

  private func startDueMembers() {
    for member in members where !isStopping {
      guard let time = member.restartTime, time <= .now else { continue }
      do { member.started(try ChildProcess(member.plan)) } catch {
        member.restartTime = .now + member.policy.nextPause(afterRunning: .zero)
        log.note("\(error)")
      }
    }
  }

  /// Stops all, the last started first: requests the exit, waits for `grace`, then kills. A second request by the user kills at once.
  ///
  /// The programs of a stage stop together: `stages` has the plans' names, and each stage waits for the one before.
  func stopAll(grace: Duration, stages: [[String]]) {
    isStopping = true
    let named = Set(stages.joined())
    for stage in [members.map(\.plan.name).filter { !named.contains($0) }] + stages {
      let stopping = members.filter { stage.contains($0.plan.name) }.reversed()
      for member in stopping { member.child?.signal(member.plan.stopSignal) }
      let before = request
      let deadline = ContinuousClock.now + grace
      wait(until: deadline) { stopping.allSatisfy { $0.child == nil } || request > before || request == .stopAtOnce }
      for member in stopping where member.child != nil {
        let reason = request > before || request == .stopAtOnce ? "" : " does not end by itself and"
        log.note("\(member.plan.name)\(reason) is killed")
        member.child?.signal(member.plan.killSignal)
      }
      wait(until: .now + .seconds(5)) { stopping.allSatisfy { $0.child == nil } }
      for member in stopping { member.child?.signal(SIGKILL, toGroup: true) }
      wait(until: .now + .seconds(2)) { stopping.allSatisfy { $0.child == nil } }
    }
  }
}

/// A supervised program, including its restarts.
final class Member {
  let plan: ChildPlan
  fileprivate(set) var restarts: Supervisor.Restarts
  fileprivate(set) var child: ChildProcess?
  /// How it ended last; `nil` if it has not ended.
  fileprivate(set) var end: ProcessEnd?
  fileprivate var lines = LineSplitter()
  fileprivate var isOutputOpen = true
  fileprivate var startTime = ContinuousClock.now
  fileprivate var restartTime: ContinuousClock.Instant?
  fileprivate var policy = RestartPolicy()

  fileprivate init(_ plan: ChildPlan, restarts: Supervisor.Restarts, child: ChildProcess) {
    self.plan = plan
    self.restarts = restarts
    self.child = child
  }

  fileprivate func ended(_ end: ProcessEnd) {
    child = nil
    self.end = end
  }

  fileprivate func started(_ child: ChildProcess) {
    self.child = child
    end = nil
    restartTime = nil
    isOutputOpen = true
    startTime = .now
  }
}

/// "0.4 s".
func seconds(_ duration: Duration) -> String {
  let tenths = Int((duration / .milliseconds(100)).rounded())
  return "\(tenths / 10).\(tenths % 10) s"
}
