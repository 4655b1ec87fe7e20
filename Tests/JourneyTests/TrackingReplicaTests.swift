import Environment
import GoogleProtobuf
import Identifiers
import LoopExecutor
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing
import Timestamps

/// Two replicas of tracking on one database, of which one is killed while users report and watch.
@Suite("two replicas of tracking, one killed", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct TrackingReplicaTests {
  private static let reports = 120

  @Test(
    "[TR-2] [TR-4] what was acknowledged is seen once and in order by all viewers, whichever replica dies",
    arguments: ["LISTEN/NOTIFY", "NATS"])
  func killed(_ bus: String) async throws {
    let nats = bus == "NATS" ? try await NATSProcess.start() : nil
    let settings = nats.map { ["--bus-url", "nats://\($0.address)"] } ?? []
    try await TrackingSuite.with { suite in
      let names = ["ada", "alan", "grace", "linus"]
      var members: [ThreeServices.Member] = []
      for name in names { members.append(try await suite.users.join(name)) }
      let group = try await suite.group(of: members)
      let replicas = [try TrackingProcess(suite, settings), try TrackingProcess(suite, settings)]
      defer { for replica in replicas { replica.kill() } }
      let loops = LoopGroup(threads: 1)
      let security = try suite.certificates.client(of: "tracking")
      let clients = replicas.map {
        RPCClient(host: "127.0.0.1", port: $0.port, security: security, on: loops.executors[0])
      }
      let locations = clients.map { LocationsClient($0) }
      for location in locations { try await suite.wait(for: location, toShow: 4, of: group, to: members[0]) }
      let stage = ReplicaStage(
        locations: locations, group: group, acknowledged: Gathered(), isOver: Gathered(), reports: Self.reports)
      let seen = try await stage.run(members) {
        try await until("half is reported") { stage.acknowledged.all.count >= Self.reports }
        replicas[0].kill()
      }
      for (viewer, changes) in seen.enumerated() {
        let numbers = changes.map(\.sequence)
        #expect(numbers == Array((numbers.first ?? 0)..<((numbers.first ?? 0) + Int64(numbers.count))), "\(viewer)")
        let places = changes.compactMap(\.place)
        #expect(Set(places).count == places.count, "\(viewer) saw a report twice")
        #expect(Set(stage.acknowledged.all).subtracting(places) == [], "\(viewer) missed a report")
      }
      for client in clients { await client.close() }
      try await loops.shutdown()
    }
    nats?.stop()
  }
}

/// Two users who report and two who watch, each at one of the replicas, and at the other once that one is dead.
private struct ReplicaStage: Sendable {
  let locations: [LocationsClient]
  let group: String
  /// The reports that were acknowledged.
  let acknowledged: Gathered<Reported>
  /// Has a value when all is reported.
  let isOver: Gathered<Int64>
  let reports: Int

  /// The changes that the viewers saw.
  func run(
    _ members: [ThreeServices.Member], killing: @escaping @Sendable () async throws -> Void
  ) async throws -> [[MemberChange]] {
    // Behind what introduced the members: a view from before their names were known begins with a snapshot.
    let before = try await locations[0].getMembers(GetMembersRequest(groupIds: [group]), members[0].options)
    let start = before.groups[0].sequence
    return try await withThrowingTaskGroup(of: [MemberChange]?.self) { tasks in
      tasks.addTask {
        try await killing()
        return nil
      }
      for viewer in 0..<2 { tasks.addTask { try await watch(as: members[2 + viewer], at: viewer, after: start) } }
      try await withThrowingTaskGroup { reporters in
        for reporter in 0..<2 {
          reporters.addTask { try await report(as: members[reporter], at: reporter, Double(reporter)) }
        }
        try await reporters.waitForAll()
      }
      let last = try await locations[1].getMembers(GetMembersRequest(groupIds: [group]), members[0].options)
      isOver.add(last.groups[0].sequence)
      // One more change, for viewers who have seen all others.
      _ = try await locations[1].stopSharing(StopSharingRequest(groupIds: [group]), members[0].options)
      return try await tasks.reduce(into: []) { if let seen = $1 { $0.append(seen) } }
    }
  }

  /// Reports places one after the other; one whose outcome is unknown is reported again, at the other replica.
  private func report(as member: ThreeServices.Member, at first: Int, _ longitude: Double) async throws {
    var replica = first
    func patiently(_ call: (LocationsClient) async throws -> Void) async throws {
      try await until("a replica answers") {
        do {
          try await call(locations[replica])
          return true
        } catch let status as Status where [.unavailable, .cancelled, .deadlineExceeded].contains(status.code) {
          replica = 1
          return false
        }
      }
    }
    let options = CallOptions.token(member.token, timeout: .seconds(20))
    try await patiently { _ = try await $0.startSharing(StartSharingRequest(groupIds: [group]), options) }
    for number in 0..<reports {
      let place = Reported(user: member.id, step: number)
      let point = Position(
        latitude: place.latitude, longitude: longitude, time: SystemClock().now.timestamp)
      try await patiently { _ = try await $0.reportBatch(ReportBatchRequest(points: [point]), options) }
      acknowledged.add(place)
    }
  }

  /// Watches what follows the change `start` until everything was seen; continues at the other replica with the last number.
  private func watch(
    as member: ThreeServices.Member, at first: Int, after start: Int64
  ) async throws -> [MemberChange] {
    var replica = first
    var seen: [MemberChange] = []
    while isOver.all.first.map({ (seen.last?.sequence ?? 0) < $0 }) ?? true {
      do {
        try await locations[replica].watch(.token(member.token, timeout: .seconds(120))) { requests, responses in
          try await requests.send(
            WatchRequest(add: [WatchedGroup(groupID: group, after: seen.last?.sequence ?? start)]))
          for try await message in responses {
            if case .changes(let changes) = message.content { seen += changes.changes }
            if let end = isOver.all.first, (seen.last?.sequence ?? 0) >= end { return }
          }
        }
      } catch let status as Status where [.unavailable, .cancelled, .resourceExhausted].contains(status.code) {
        replica = 1
      }
    }
    return seen
  }
}

/// One report of a user, which its latitude tells.
private struct Reported: Hashable, Sendable {
  let user: String
  let step: Int

  /// A tenth of a metre apart, as there may be a millisecond between two.
  var latitude: Double { 1 + Double(step) / 1_000_000 }
}

extension MemberChange {
  /// The report that it shows.
  fileprivate var place: Reported? {
    guard case .member(let member) = change, let position = member.position else { return nil }
    return Reported(user: member.userID, step: Int(((position.latitude - 1) * 1_000_000).rounded()))
  }
}
