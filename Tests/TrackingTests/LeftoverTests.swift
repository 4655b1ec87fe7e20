import Blocks
import ChatDomain
import Identifiers
import TTRPC
import TandemChat
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingStore

@Suite("what an account deletion leaves of what was tracked", .timeLimit(.minutes(5)))
struct LeftoverTests {
  @Test("[C-9] 29 B2: every table that kept the id of a user, and the trail of a journey, are free of it afterwards")
  func everyTable() async throws {
    try await RunningTracking.with { tracking in
      let group = try await Self.live(tracking)
      let kept = try await tracking.sql(
        "select trail <> '', recent_reports <> '', phone_clock <> '' from trackers where user_id = '\(TestUser.ada.id)'"
      )
      #expect(kept == [["t", "t", "t"]])
      let before = Set(try await Self.mentions(of: .ada, tracking))
      #expect(
        before.isSuperset(of: [
          "blocks.blocked_id", "blocks.blocker_id", "chat_conversations.first_user_id", "chat_members.user_id",
          "chat_messages.sender_id", "chat_quotas.user_id", "chat_reactions.user_id", "group_changes.user_id",
          "journeys.user_id", "memberships.user_id", "news_quotas.user_id", "path_points.user_id",
          "place_groups.user_id", "places.user_id", "replays.caller", "trackers.user_id",
        ]), "\(before.sorted())")
      try await tracking.own.repeatableTransaction { tx in
        for removal in TrackingSchema.removals { try await tx.remove(TestUser.ada.id, by: removal) }
      }
      // Identity tells of the end of the membership, too.
      try await tracking.followGroup(group)
      try await until("what goes in parts is gone") {
        try await tracking.sql("select (select count(*) from erasures), (select count(*) from chat_erasures)")
          == [["0", "0"]]
      }
      // For two days groups are told of the end of a membership, and of nothing else of the user.
      #expect(try await Self.mentions(of: .ada, tracking) == ["group_changes.user_id"])
      #expect(
        try await tracking.value(
          """
          select count(*) from group_changes
          where num_nonnulls(latitude, longitude, accuracy_m, altitude_m, speed_mps, course, place_name,
            recorded_at, journey_id, promised_at, estimated_at) > 0
          """) == "0")
      #expect(try await tracking.value("select count(*) from journey_shares") == "0")
    }
  }

  /// Fills every table with something of Ada's, as the rest of the service does.
  private static func live(_ tracking: RunningTracking) async throws -> ConversationID {
    let group = try await tracking.conversation(of: [.ada, .grace])
    let home = GroupID(group.uuid)
    _ = try await tracking.home(told: [home])
    let journey = try await tracking.journeys.startJourney(
      StartJourneyRequest(
        groupIds: [home.description], destination: Place(latitude: 52.6, longitude: 13.4),
        arrivalTime: (tracking.clock.now + .seconds(3_600)).timestamp, mode: .walking,
        requestID: "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11"), TestUser.ada.options)
    for metres in stride(from: 0.0, through: 400, by: 40) { try await tracking.walk(to: metres) }
    _ = try await JourneySharesClient(tracking.client).createShare(
      CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
    _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
    _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
    try await tracking.depart(seenBy: [home])
    for metres in stride(from: 400.0, through: 800, by: 40) { try await tracking.walk(to: metres) }
    let number = try await tracking.say("on my way", in: group, as: .ada)
    _ = try await tracking.chat.react(
      ReactRequest(conversationID: group.description, sequence: number, emoji: "👍"), TestUser.ada.options)
    _ = try await tracking.say("hello", in: tracking.direct(.ada, with: .grace), as: .ada)
    try await tracking.own.write(
      AddBlocks([Block(of: TestUser.alan.id, by: TestUser.ada.id), Block(of: TestUser.ada.id, by: TestUser.alan.id)]))
    return group
  }

  /// Columns of tables, other than of the users' own and of the logs of events and jobs, that have the id of a user.
  private static func mentions(of user: TestUser, _ tracking: RunningTracking) async throws -> [String] {
    let columns = try await tracking.sql(
      """
      select relname, attname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'tracking'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and not attisdropped and format_type(atttypid, null) in ('uuid', 'text', 'jsonb', 'uuid[]', 'text[]')
        and relname not in ('users', 'events', 'jobs')
      order by relname, attname
      """)
    var found: [String] = []
    for column in columns {
      guard let table = column[0], let name = column[1] else { continue }
      let count = try await tracking.value("select count(*) from \(table) where \(name)::text like '%\(user.id)%'")
      if count != "0" { found.append("\(table).\(name)") }
    }
    return found
  }
}
