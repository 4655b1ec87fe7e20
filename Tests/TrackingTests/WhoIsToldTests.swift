import AccountDeletions
import Blocks
import Foundation
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

/// The table of the service's README, row by row.
@Suite("who is told of what", .timeLimit(.minutes(5)))
struct WhoIsToldTests {
  typealias Change = @Sendable (RunningTracking, GroupID) async throws -> Void

  private static let looks = ["--look-interval", "10ms"]

  private static func pass(_ seconds: Int64, _ tracking: RunningTracking, until warned: [Warning], in group: GroupID)
    async throws
  {
    tracking.clock.advance(by: .seconds(seconds))
    try await until("it is noticed") {
      let ada = try await tracking.member(.ada, in: group, seenBy: .grace)
      return warned.isEmpty ? ada.state == .inactive : ada.warnings == warned
    }
  }

  private static func startSOS(_ tracking: RunningTracking) async throws {
    _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
  }

  private static func stopJourney(_ tracking: RunningTracking, for groups: [GroupID] = []) async throws {
    _ = try await tracking.journeys.stopJourney(
      StopJourneyRequest(groupIds: groups.map(\.description)), TestUser.ada.options)
  }

  /// Does what the consumer of deleted accounts does, and lets the time pass after which silence would be noticed.
  private static func deleteAccount(_ tracking: RunningTracking) async throws {
    try await tracking.own.repeatableTransaction { tx in
      for removal in TrackingSchema.removals { try await tx.remove(TestUser.ada.id, by: removal) }
    }
    tracking.clock.advance(by: .seconds(7_200))
    #expect(try await tracking.value("select count(*) from trackers where user_id = '\(TestUser.ada.id)'") == "0")
  }

  private static func place(_ tracking: RunningTracking, told group: GroupID) async throws {
    let place = NamedPlace(
      name: "Home", point: Place(latitude: 52.5, longitude: 13.4), radiusM: 50, groupIds: [group.description])
    _ = try await tracking.places.createPlace(CreatePlaceRequest(place: place), TestUser.ada.options)
    try await tracking.share(with: [group])
    for latitude in [52.49, 52.5] {
      tracking.clock.advance(by: .seconds(20))
      try await tracking.report(latitude, 13.4, accuracy: 5)
    }
  }

  /// What is done before the change, of which the news do not count, and the change.
  private static let changes: [String: (before: Change, change: Change)] = [
    "sharing starts": ({ _, _ in }, { try await $0.share(with: [$1]) }),
    "sharing stops": ({ try await $0.share(with: [$1]) }, { try await $0.stopSharing(with: [$1]) }),
    "silence while sharing": (
      {
        try await $0.share(with: [$1])
        try await $0.report(52.4, 13.4)
      }, { try await pass(61, $0, until: [], in: $1) }
    ),
    "a journey starts": ({ _, _ in }, { try await $0.depart(seenBy: [$1]) }),
    "a journey is stopped": ({ try await $0.depart(seenBy: [$1]) }, { tracking, _ in try await stopJourney(tracking) }),
    "a journey is stopped for one group": (
      {
        let other = try await $0.group(2, of: [.ada])
        try await $0.depart(seenBy: [$1, other])
      }, { try await stopJourney($0, for: [$1]) }
    ),
    "a journey arrives on time": (
      {
        try await $0.depart(seenBy: [$1])
        try await $0.report(52.49, 13.4)
      },
      { tracking, _ in
        tracking.clock.advance(by: .seconds(30))
        try await tracking.report(52.5, 13.4)
      }
    ),
    "a journey arrives late": (
      {
        try await $0.depart(seenBy: [$1])
        try await $0.report(52.49, 13.4)
      },
      { tracking, group in
        // Until the promised time, an hour after the beginning, has passed.
        for number in 0..<62 {
          tracking.clock.advance(by: .seconds(59))
          // To and fro.
          try await tracking.report(number.isMultiple(of: 2) ? 52.49 : 52.491, 13.4)
        }
        try await until("the promised time has passed") {
          try await tracking.member(.ada, in: group, seenBy: .grace).warnings.contains(.late)
        }
        tracking.clock.advance(by: .seconds(30))
        try await tracking.report(52.5, 13.4)
      }
    ),
    "standing still on a journey": (
      { try await $0.depart(seenBy: [$1]) },
      { tracking, _ in
        for _ in 0..<35 {
          tracking.clock.advance(by: .seconds(5))
          try await tracking.report(52.4, 13.4, accuracy: 5)
        }
      }
    ),
    "the promised time passes": (
      { tracking, group in
        _ = try await tracking.journeys.startJourney(
          StartJourneyRequest(
            groupIds: [group.description], destination: Place(latitude: 52.5, longitude: 13.4),
            arrivalTime: (tracking.clock.now + .seconds(30)).timestamp, mode: .walking), TestUser.ada.options)
      }, { try await pass(31, $0, until: [.late], in: $1) }
    ),
    "silence on a journey": (
      { try await $0.depart(seenBy: [$1]) }, { try await pass(61, $0, until: [.offline], in: $1) }
    ),
    "sharing stops on a journey": (
      { try await $0.depart(seenBy: [$1]) }, { try await $0.stopSharing(with: [$1]) }
    ),
    "an alert starts": ({ _, _ in }, { tracking, _ in try await startSOS(tracking) }),
    "an alert starts on a journey": (
      { try await $0.depart(seenBy: [$1]) }, { tracking, _ in try await startSOS(tracking) }
    ),
    "an alert is started again": (
      { tracking, _ in try await startSOS(tracking) }, { tracking, _ in try await startSOS(tracking) }
    ),
    "a group is joined during an alert": (
      { tracking, group in
        try await tracking.remove(.ada, from: group)
        try await startSOS(tracking)
      }, { try await $0.added(.ada, to: $1) }
    ),
    "silence in SOS": (
      { tracking, _ in try await startSOS(tracking) }, { try await pass(61, $0, until: [.offline], in: $1) }
    ),
    "an alert is stopped": (
      { tracking, _ in try await startSOS(tracking) },
      { tracking, _ in _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options) }
    ),
    "a place is reached": ({ _, _ in }, { try await place($0, told: $1) }),
    "a place is left": (
      { try await place($0, told: $1) },
      { tracking, _ in
        for _ in 0..<2 {
          tracking.clock.advance(by: .seconds(20))
          try await tracking.report(52.49, 13.4, accuracy: 5)
        }
      }
    ),
    "a member joins": ({ _, _ in }, { try await $0.added(.alan, to: $1) }),
    "a member is removed": ({ try await $0.added(.alan, to: $1) }, { try await $0.remove(.alan, from: $1) }),
    "the account is deleted on a journey": (
      { try await $0.depart(seenBy: [$1]) }, { tracking, _ in try await deleteAccount(tracking) }
    ),
    "the account is deleted during an alert": (
      { tracking, _ in try await startSOS(tracking) }, { tracking, _ in try await deleteAccount(tracking) }
    ),
    "a block on a journey": (
      { try await $0.depart(seenBy: [$1]) },
      { tracking, _ in
        try await tracking.block(Block(of: TestUser.ada.id, by: TestUser.grace.id))
        try await stopJourney(tracking)
      }
    ),
    "a block during an alert": (
      { tracking, _ in try await startSOS(tracking) },
      { tracking, _ in
        try await tracking.block(Block(of: TestUser.grace.id, by: TestUser.ada.id))
        _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      }
    ),
  ]

  /// The rows of the table: a change, and the words of what others, and the user, are notified of.
  static let rows: [(change: String, words: [String], own: [String])] = {
    let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Services/Tracking/README.md")
    let text = (try? String(contentsOf: readme, encoding: .utf8)) ?? ""
    let section = text.components(separatedBy: "## Who is told").last?.components(separatedBy: "\n## ").first ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      func words(_ cell: String) -> [String] { cell.matches(of: /`([A-Za-z]+)`/).map { String($0.1) } }
      return (cells[0], words(cells[1]), words(cells[2]))
    }
  }()

  @Test(
    "[TR-5] [TR-6] [C-9] [C-10] T-2 T-7: of every change of state others and the user are notified as the README's table says",
    arguments: rows)
  func row(change: String, words: [String], own: [String]) async throws {
    let steps = try #require(Self.changes[change], "\(change) is not walked")
    try await RunningTracking.with(Self.looks) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await steps.before(tracking, group)
      let before = try await tracking.news().count
      try await steps.change(tracking, group)
      let told = try await tracking.news().dropFirst(before)
      #expect(told.map { String($0.prefix { $0 != " " }) } == words, "\(change)")
      #expect(told.allSatisfy { $0.hasSuffix(" to grace.h") }, "\(change): \(told)")
      #expect(own.isEmpty, "\(change): the user is notified of nothing by tracking")
    }
  }

  @Test("[TR-5] T-2 T-7: the table has every change that is walked, and no other")
  func whole() { #expect(Set(Self.rows.map(\.change)) == Set(Self.changes.keys)) }
}
