import Identifiers
import TTRPC
import TTRPCClient
import TandemMatching
import Testing
import Timestamps

/// Training sessions that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern sessions; `false` for any other.
  mutating func performWithSessions(_ step: String) async throws -> Bool {
    switch step {
    case "bar": _ = try await bar(of: subject)
    case "listing": try await list(subject)
    case "noCalendars": try await world.sql("delete from matching.calendar_links")
    case "noRepetitions": try await world.sql("delete from matching.repetitions")
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns sessions: of the owner, joined by the member.
  mutating func prepareSession(_ name: String) async throws {
    switch name {
    case "sessionStart", "sessionEnd":
      let start = nextStart()
      values["sessionStart"] = "\(start)"
      values["sessionEnd"] = "\(start + .seconds(15 * 60))"
    case "posted": values[name] = try await posted()
    case "match": values[name] = try await match()
    case "meeting":
      let id = try await match()
      // In its check-in window, beside others of the same users.
      try await change(id, "starts_at = starts", by: 300)
      values[name] = id
    case "training":
      let id = try await match()
      try await change(id, "state = 'SUCCESSFUL', starts_at = starts", by: -1_800)
      values[name] = id
    case "bar", "barredId":
      let bar = try await bar(of: world.cast.stranger)
      (values["bar"], values["barredId"]) = (bar, world.cast.stranger.id)
    case "listedId":
      try await list(world.cast.owner)
      values[name] = world.cast.owner.id
    case "calendarLink", "calendarToken":
      try await world.sql("delete from matching.calendar_links")
      let link = try await CalendarsClient(try matching).createCalendarLink(.init(), try await owners)
      (values["calendarLink"], values["calendarToken"]) = (link.link?.linkID, link.token)
    case "sharedSession", "sessionShare", "sessionShareToken":
      let id = try await posted()
      let made = try await sessions.shareSession(ShareSessionRequest(sessionID: id), try await owners)
      (values["sharedSession"], values["sessionShareToken"]) = (id, made.token)
      values["sessionShare"] = made.share?.shareID
    case "repetition":
      try await world.sql("delete from matching.repetitions")
      values[name] = try await RepetitionsClient(try matching).repeatSession(
        RepeatSessionRequest(sessionID: try await posted()), try await owners
      ).repetitionID
    case "savedSearch":
      values[name] = try await SavedSearchesClient(try matching).saveSearch(
        SaveSearchRequest(name: "Yoga", filter: SearchFilter(focuses: [.yoga])), try await owners
      ).searchID
    default: break
    }
  }

  private var matching: RPCClient { get throws { try world.server("matching").client() } }
  private var owners: CallOptions { get async throws { try await world.cast.owner.options(at: world.identity) } }

  /// Puts a user on the map of partners.
  private func list(_ user: CastMember) async throws {
    let listing = PartnerListing(
      point: .init(latitude: 1.3, longitude: 103.8), accuracyM: 5, focus: .yoga, level: .expert)
    _ = try await PartnersClient(try matching).setPartnerListing(
      SetPartnerListingRequest(listing: listing), try await user.options(at: world.identity))
  }

  private var sessions: SessionsClient { get throws { SessionsClient(try matching) } }

  /// A quarter of an hour that no other session has.
  private func nextStart() -> Instant { world.clock.now + .seconds(7_200 + 900 * world.numbers.next()) }

  private mutating func posted() async throws -> String {
    if values["gym"] == nil { try await prepareTraining("gym") }
    // No user posts and joins as much as the users of this world do ([MA-16]).
    try await world.sql(
      """
      delete from matching.news_quotas;
      update matching.sessions set state = 'LAPSED'
      where id in (select id from matching.sessions where state = 'OPEN' order by id desc offset 20)
      """)
    let start = nextStart()
    let post = PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(15 * 60)).timestamp, gymID: values["gym"] ?? "",
      focus: .yoga, level: .expert)
    return try await sessions.postSession(post, try await world.cast.owner.options(at: world.identity)).sessionID
  }

  private mutating func match() async throws -> String {
    let id = try await posted()
    _ = try await sessions.joinSession(
      JoinSessionRequest(sessionID: id), try await world.cast.member.options(at: world.identity))
    return id
  }

  /// Moves a session, whose participants keep the slots that they took, to so many seconds from now.
  private func change(_ id: String, _ assignment: String, by seconds: Int) async throws {
    let start = "to_timestamp(\(world.clock.now.wholeSeconds + Int64(seconds)))"
    try await world.sql(
      """
      update matching.sessions
      set \(assignment.replacing("= starts", with: "= \(start)")), ends_at = \(start) + interval '15 minutes',
        joins_end_at = null
      where id = '\(id)'
      """)
  }

  private func bar(of user: CastMember) async throws -> String {
    let id = world.someID()
    let now = "to_timestamp(\(world.clock.now.wholeSeconds))"
    try await world.sql(
      """
      insert into matching.bars (id, user_id, session_id, cause, began_at, ends_at)
      values (
        '\(id)', '\(user.id)', '\(world.someID())', 'NO_SHOW', \(now) - interval '73 hours', \(now) - interval '1 hour'
      );
      insert into matching.bar_changes (bar_id, number, change, actor, reason, happened_at)
      values ('\(id)', 1, 'IMPOSED', 'matching', '', \(now))
      """)
    return id
  }
}
