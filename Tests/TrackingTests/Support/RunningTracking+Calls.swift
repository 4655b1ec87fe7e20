import Identifiers
import TTRPC
import TandemEvents
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

extension RunningTracking {
  func share(with groups: [GroupID], as user: TestUser = .ada) async throws {
    _ = try await locations.startSharing(
      StartSharingRequest(groupIds: groups.map(\.description)), user.options)
  }

  func stopSharing(with groups: [GroupID], as user: TestUser = .ada) async throws {
    _ = try await locations.stopSharing(
      StopSharingRequest(groupIds: groups.map(\.description)), user.options)
  }

  /// Reports a position of this moment.
  @discardableResult
  func report(
    _ latitude: Double, _ longitude: Double, accuracy: Double? = nil, as user: TestUser = .ada
  ) async throws -> ReportSummary {
    try await locations.reportBatch(
      ReportBatchRequest(points: [
        Position(latitude: latitude, longitude: longitude, time: clock.now.timestamp, accuracyM: accuracy)
      ]), user.options)
  }

  /// A journey to 52.5, 13.4, promised within an hour.
  @discardableResult
  func depart(seenBy groups: [GroupID], as user: TestUser = .ada) async throws -> Journey {
    try await journeys.startJourney(
      StartJourneyRequest(
        groupIds: groups.map(\.description), destination: Place(latitude: 52.5, longitude: 13.4),
        arrivalTime: (clock.now + .seconds(3_600)).timestamp, mode: .walking), user.options)
  }

  /// Returns when so many statements wait for a lock.
  func untilWaiting(_ count: Int) async throws {
    try await until("\(count) statements wait for a lock") {
      try await value(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
        == "\(count)"
    }
  }

  /// So many users on a journey each, in a group of their own with Grace.
  func manyOnJourneys(_ count: Int) async throws -> [GroupID] {
    var groups: [GroupID] = []
    for number in 0..<count {
      let group = try await self.group(UInt64(number), of: [.one(number), .grace])
      try await depart(seenBy: [group], as: .one(number))
      groups.append(group)
    }
    return groups
  }

  func member(_ user: TestUser, in group: GroupID, seenBy viewer: TestUser) async throws -> Member {
    let answer = try await locations.getMembers(GetMembersRequest(groupIds: [group.description]), viewer.options)
    return try #require(answer.groups.first?.members.first { $0.userID == user.id.description })
  }

  /// The notifications and their recipients, in order: `sosStarted to alan,grace.h`.
  func news() async throws -> [String] {
    let names = Dictionary(uniqueKeysWithValues: [TestUser.ada, .grace, .alan].map { ($0.id.description, $0.name) })
    return try await told(NotificationRequested.self).map { told in
      "\(told.word) to \(told.recipientIds.map { names[$0] ?? $0 }.sorted().joined(separator: ","))"
    }
  }

  /// How many notifications of each kind there are.
  func counts() async throws -> [String: Int] {
    Dictionary(try await told(NotificationRequested.self).map { ($0.word, 1) }, uniquingKeysWith: +)
  }
}

extension NotificationRequested {
  var word: String {
    switch news {
    case .sosStarted: "sosStarted"
    case .sosStopped: "sosStopped"
    case .journeyStarted: "journeyStarted"
    case .journeyEnded: "journeyEnded"
    case .arrivedOnTime: "arrivedOnTime"
    case .arrivedLate: "arrivedLate"
    case .standingStill: "standingStill"
    case .notArrived: "notArrived"
    case .wentOffline: "wentOffline"
    case .sosWentOffline: "sosWentOffline"
    case .placeReached(let place): "reached \(place.place)"
    case .placeLeft(let place): "left \(place.place)"
    default: "something else"
    }
  }
}

/// The reason of a refusal; `nil` for none.

func reason(_ call: () async throws -> Void) async -> String? {
  do { try await call() } catch { return (error as? Status)?.reason ?? "\(error)" }
  return nil
}
