import ArgumentParser
import Foundation
import Measure
import Synchronization
import TTRPC
import TTRPCClient
import TandemTracking

/// Users who share their positions with groups, and members who watch them.
///
/// Each viewer checks that the changes of the group come without a gap; the age of a position when it arrives is counted from the moment
/// at which it was due to be sent.
struct LocationLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "locations")

  @OptionGroup var live: LiveOptions
  @Option(help: "Members of each group who report, on a stream each; all without it.") var reporters = Int.max
  @Option(help: "Members of each group who watch it; all without it.") var viewers = Int.max
  @Option(help: "Streams on which each of them watches.") var devices = 1
  @Option(help: "Positions a second in all, at even intervals; without it as many as `callers` get answered.") var rate:
    Double?
  @Option(help: "Callers who report a position of one user after the other, each as a call of its own.") var callers =
    64
  @Flag(help: "Only watch: print a line when all snapshots have arrived, and stay.") var idle = false

  func run() async throws {
    try await live.run { all, connections in
      let progress = Progress()
      let seen = try await withThrowingTaskGroup(of: Delays.self) { group in
        let watching = watch(all, connections, progress, &group)
        try await progress.waitForViewers(watching)
        if idle {
          print("watching \(watching)")
          fflush(nil)
          try await Task.sleep(for: .seconds(3_600))
        }
        let sent = try await report(all, connections, progress)
        await progress.waitForEvents(sent.expected, atMost: .seconds(10))
        group.cancelAll()
        return (sent, try await group.reduce(into: Delays()) { $0 += $1 })
      }
      let (sent, events) = seen
      print(
        """
        {"rate":\(Double(sent.answered) / live.seconds),\(sent.delays.json("ack")),\(events.json("seen")),"seen_rate":\(Double(events.count) / live.seconds),\
        "missing":\(sent.expected - events.count),\(sent.cpu)}
        """)
    }
  }

  // MARK: Viewers

  private func watch(
    _ all: LiveGroups, _ connections: LiveConnections, _ progress: Progress,
    _ tasks: inout ThrowingTaskGroup<Delays, any Error>
  ) -> Int {
    var count = 0
    for group in all.groups {
      for token in group.members.prefix(viewers) {
        for _ in 0..<devices {
          let (client, executor) = connections[count]
          let viewer = Viewer(
            locations: LocationsClient(client), group: group.id, options: .of(token), progress: progress)
          tasks.addTask(executorPreference: executor) { try await viewer.watch() }
          count += 1
        }
      }
    }
    return count
  }

  // MARK: Reporters

  private func report(_ all: LiveGroups, _ connections: LiveConnections, _ progress: Progress) async throws -> Reported
  {
    var reporters: [Reporter] = []
    // Neighbours in this order are of different groups, as users who report at the same moment are.
    for place in 0..<(all.groups.map(\.members.count).max() ?? 0) where place < self.reporters {
      for (number, group) in all.groups.enumerated() where place < group.members.count {
        reporters.append(
          Reporter(
            options: .of(group.members[place]), place: reporters.count, home: number * group.members.count + place,
            viewers: min(viewers, group.members.count) * devices))
      }
    }
    return try await withThrowingTaskGroup(of: Reported.self) { group in
      let counted =
        if let rate {
          streams(of: reporters, rate, connections, &group)
        } else {
          calls(of: reporters, connections, &group)
        }
      progress.count(counted)
      try await WallTime.sleep(until: counted.lowerBound)
      let cpu = CPUTimes(serverPID: live.serverPid)
      try await WallTime.sleep(until: counted.upperBound)
      return try await group.reduce(into: Reported(cpu: cpu.json)) { $0 += $1 }
    }
  }

  /// Positions at even intervals, those of each user on a stream.
  private func streams(
    of reporters: [Reporter], _ rate: Double, _ connections: LiveConnections,
    _ tasks: inout ThrowingTaskGroup<Reported, any Error>
  ) -> Range<Int64> {
    let plan = EvenRate(of: reporters.count, rate: rate, warm: live.warm, seconds: live.seconds)
    for reporter in reporters {
      let (client, executor) = connections[reporter.place]
      tasks.addTask(executorPreference: executor) { try await reporter.report(LocationsClient(client), plan) }
    }
    return plan.counted
  }

  /// Calls of users in turn, each caller's after the answer to the one before.
  private func calls(
    of reporters: [Reporter], _ connections: LiveConnections, _ tasks: inout ThrowingTaskGroup<Reported, any Error>
  ) -> Range<Int64> {
    let begin = WallTime.now + Int64(live.warm * 1e6)
    let counted = begin..<begin + Int64(live.seconds * 1e6)
    let next = CallNumbers()
    for caller in 0..<callers {
      let (client, executor) = connections[caller]
      tasks.addTask(executorPreference: executor) {
        var reported = Reported()
        while true {
          let reporter = reporters[next.take() % reporters.count]
          let moment = WallTime.now
          guard moment < counted.upperBound else { return reported }
          try await reporter.call(LocationsClient(client), at: moment)
          reported.add(due: moment, in: counted, seenBy: reporter.viewers)
        }
      }
    }
    return counted
  }
}

/// Numbers from 0 on, for many callers.
private final class CallNumbers: Sendable {
  private let value = Atomic<Int>(0)

  func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// What became of reports.
private struct Reported: Sendable {
  /// Of the positions that were due in the time that counts.
  var delays = Delays()
  /// Positions of any time that were answered in the time that counts.
  var answered = 0
  /// Positions of the time that counts, each as often as there are viewers.
  var expected = 0
  /// What was used meanwhile, as JSON fields.
  var cpu = ""

  /// A position that was answered just now.
  mutating func add(due: Int64, in counted: Range<Int64>, seenBy viewers: Int) {
    let now = WallTime.now
    if counted.contains(now) { answered += 1 }
    guard counted.contains(due) else { return }
    delays.add(now - due)
    expected += viewers
  }

  static func += (one: inout Reported, other: Reported) {
    one.delays += other.delays
    one.answered += other.answered
    one.expected += other.expected
  }
}

/// What viewers and reporters know of each other.
private final class Progress: Sendable {
  private let viewers = Atomic<Int>(0)
  private let events = Atomic<Int>(0)
  private let begin = Atomic<Int64>(.max)
  private let end = Atomic<Int64>(.max)

  /// Positions of these moments count.
  func count(_ moments: Range<Int64>) {
    end.store(moments.upperBound, ordering: .relaxed)
    begin.store(moments.lowerBound, ordering: .releasing)
  }

  func counts(_ moment: Int64) -> Bool {
    moment >= begin.load(ordering: .acquiring) && moment < end.load(ordering: .relaxed)
  }

  func hasBegun() { viewers.add(1, ordering: .relaxed) }
  func hasSeen() { events.add(1, ordering: .relaxed) }

  func waitForViewers(_ count: Int) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while viewers.load(ordering: .relaxed) < count {
      guard ContinuousClock.now < end else {
        throw WrongAnswer("\(viewers.load(ordering: .relaxed)) of \(count) snapshots")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func waitForEvents(_ count: Int, atMost limit: Duration) async {
    let end = ContinuousClock.now + limit
    while events.load(ordering: .relaxed) < count, ContinuousClock.now < end {
      // The wait ends with the task.
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// A member who watches a group.
private struct Viewer: Sendable {
  let locations: LocationsClient
  let group: String
  let options: CallOptions
  let progress: Progress

  /// How old positions were on arrival; returns once the task is cancelled.
  func watch() async throws -> Delays {
    var delays = Delays()
    do {
      try await whenNotOverloaded {
        try await locations.watch(options) { requests, responses in
          try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
          var last: Int64 = -1
          for try await response in responses {
            switch response.content {
            case .snapshot(let snapshot):
              guard let group = snapshot.group, last == -1 else { throw WrongAnswer(response) }
              last = group.sequence
              progress.hasBegun()
            case .changes(let changes):
              let now = WallTime.now
              for change in changes.changes {
                guard change.sequence == last + 1 else { throw WrongAnswer("\(change.sequence) behind \(last)") }
                last = change.sequence
                guard case .member(let member) = change.change, let time = member.position?.time else { continue }
                let sent = time.seconds * 1_000_000 + Int64(time.nanos) / 1_000
                guard progress.counts(sent) else { continue }
                delays.add(now - sent)
                progress.hasSeen()
              }
            default: throw WrongAnswer(response)
            }
          }
        }
      }
    } catch  where Task.isCancelled {
      return delays
    }
    throw WrongAnswer("the stream ended")
  }
}

/// A user who walks.
private struct Reporter: Sendable {
  let options: CallOptions
  let place: Int
  /// The user's number among all, whatever the groups: a load follows others by the same users, who cannot be far from where they were.
  let home: Int
  /// Streams on which the user's positions are watched.
  let viewers: Int

  /// Reports a position at each time of the plan.
  func report(_ locations: LocationsClient, _ plan: EvenRate) async throws -> Reported {
    try await locations.report(options) { requests, responses in
      var (answers, reported) = (responses.makeAsyncIterator(), Reported())
      for due in plan.times(of: place) {
        try await WallTime.sleep(until: due)
        try await requests.send(ReportRequest(points: [position(at: due)]))
        guard let answer = try await answers.next() else { throw WrongAnswer("the stream of reports ended") }
        guard answer.accepted == 1 else { throw WrongAnswer(answer) }
        reported.add(due: due, in: plan.counted, seenBy: viewers)
      }
      requests.finish()
      return reported
    }
  }

  func call(_ locations: LocationsClient, at moment: Int64) async throws {
    let answer = try await locations.reportBatch(ReportBatchRequest(points: [position(at: moment)]), options)
    guard answer.accepted == 1 else { throw WrongAnswer(answer) }
  }

  /// A metre or so further each second, somewhere on Earth.
  private func position(at moment: Int64) -> Position {
    let steps = Double(moment % 86_400_000_000) / 1e6
    return Position(
      latitude: Double(home % 120) - 60 + steps * 1e-5, longitude: Double(home % 340) - 170 + steps * 1e-5,
      time: .init(seconds: moment / 1_000_000, nanos: Int32(moment % 1_000_000) * 1_000), accuracyM: 8,
      speedMps: 1.4, course: 45)
  }
}
