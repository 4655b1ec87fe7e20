import Environment
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing
import Timestamps

/// Replicas of tracking that are killed, and who calls them meanwhile.
struct TrackingStage: Sendable {
  let suite: TrackingSuite
  /// A client of each replica.
  let replicas: [RPCClient]
  let groups: [String]
  let acknowledged = Gathered<[WalkedStep]>()
  /// Calls that failed because something was killed.
  let interruptions = Gathered<String>()
  /// Failures that no kill explains.
  let surprises = Gathered<String>()
  /// Has a value when all is reported: the last number of each group.
  let ends = Gathered<[String: Int64]>()

  /// Calls a replica again and again until one answers, as a user who may have to log in again.
  func patiently<R: Sendable>(
    _ member: inout ThreeServices.Member, _ chance: SeededRandomness,
    _ call: (RPCClient, CallOptions) async throws -> R
  ) async throws -> R {
    while true {
      let replica = replicas[Int(chance.uint64() % UInt64(replicas.count))]
      do { return try await call(replica, .token(member.token, timeout: .seconds(10))) } catch let status as Status {
        member = try await afterFailure(status, member)
      }
    }
  }

  /// Returns when a call can be tried again.
  ///
  /// - Throws: a status that no kill explains.
  func afterFailure(_ status: Status, _ member: ThreeServices.Member) async throws -> ThreeServices.Member {
    if status.code == .unauthenticated { return try await suite.users.loginAgain(member) }
    guard [.unavailable, .deadlineExceeded, .cancelled, .resourceExhausted].contains(status.code) else {
      surprises.add("\(status)")
      throw status
    }
    interruptions.add(status.reason ?? "\(status.code)")
    // What was killed is started again soon; the pause is not measured.
    try await Task.sleep(for: .milliseconds(20))
    return member
  }

  /// Walks so many steps, and reports them in batches of one to five; returns once all are acknowledged.
  func walk(_ steps: Int, as member: ThreeServices.Member, _ chance: SeededRandomness, streaming: Streaming)
    async throws
  {
    var member = member
    let alert = try await patiently(&member, chance) { try await JourneysClient($0).startSOS(StartSOSRequest(), $1) }
    let start = try Instant(wire: try #require(alert.startTime))
    var batches: [[WalkedStep]] = []
    var next = 0
    while next < steps {
      let count = min(steps - next, 1 + Int(chance.uint64() % 5))
      batches.append((next..<next + count).map { WalkedStep(user: member.id, step: $0) })
      next += count
    }
    var waiting = batches[...]
    while !waiting.isEmpty {
      let replica = LocationsClient(replicas[Int(chance.uint64() % UInt64(replicas.count))])
      let options = CallOptions.token(member.token, timeout: .seconds(10))
      do {
        switch streaming {
        case .stream: try await report(&waiting, since: start, to: replica, options)
        case .calls:
          guard let batch = waiting.first else { return }
          let points = batch.map { $0.position(since: start) }
          acknowledge(&waiting, try await replica.reportBatch(ReportBatchRequest(points: points), options))
        }
      } catch let status as Status { member = try await afterFailure(status, member) }
    }
  }

  /// How positions are reported.
  enum Streaming: Sendable {
    case stream
    case calls
  }

  private func acknowledge(_ waiting: inout ArraySlice<[WalkedStep]>, _ summary: ReportSummary) {
    guard let batch = waiting.popFirst() else { return }
    // What an interrupted call has stored is a duplicate, or older than that.
    if Int(summary.accepted + summary.duplicate + summary.outOfOrder) != batch.count {
      surprises.add("\(summary) for \(batch)")
    }
    acknowledged.add(batch)
  }

  private func report(
    _ waiting: inout ArraySlice<[WalkedStep]>, since start: Instant, to replica: LocationsClient, _ options: CallOptions
  ) async throws {
    // A closure cannot change an inout parameter of its surroundings while it waits.
    var left = waiting
    defer { waiting = left }
    try await replica.report(options) { requests, summaries in
      var summary = summaries.makeAsyncIterator()
      while let batch = left.first {
        try await requests.send(ReportRequest(points: batch.map { $0.position(since: start) }))
        guard let answer = try await summary.next() else { return }
        acknowledge(&left, answer)
      }
    }
  }

  /// Watches all groups until everything was seen, behind `first`; after each failure it continues with the last numbers.
  func watch(
    as member: ThreeServices.Member, behind first: [String: Int64], _ chance: SeededRandomness
  ) async throws -> [SeenChange] {
    var member = member
    var seen: [SeenChange] = []
    var last = first
    var limit: ContinuousClock.Instant?
    while !isOver(last) {
      if ends.all.first != nil {
        let end = limit ?? .now + .seconds(60)
        limit = end
        guard .now < end else {
          surprises.add("a viewer stands at \(last), not at \(ends.all)")
          return seen
        }
      }
      let locations = LocationsClient(replicas[Int(chance.uint64() % UInt64(replicas.count))])
      do {
        try await locations.watch(.token(member.token, timeout: .seconds(5))) { requests, responses in
          try await requests.send(WatchRequest(add: groups.map { WatchedGroup(groupID: $0, after: last[$0] ?? 0) }))
          for try await message in responses {
            switch message.content {
            case .changes(let changes):
              for change in changes.changes {
                seen.append(SeenChange(change))
                last[change.groupID] = change.sequence
              }
            case .resumed, .position: break
            default: surprises.add("a viewer was sent \(message)")
            }
            if isOver(last) { return }
          }
        }
      } catch let status as Status { member = try await afterFailure(status, member) }
    }
    return seen
  }

  private func isOver(_ last: [String: Int64]) -> Bool {
    ends.all.first.map { ends in groups.allSatisfy { (last[$0] ?? 0) >= (ends[$0] ?? .max) } } ?? false
  }
}
