import GoogleProtobuf
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

/// Identity, and the services whose events badges come from.
struct BadgeStage: Sendable {
  let services: FollowedServices
  let identity: RunningIdentity

  static func with(_ body: @escaping @Sendable (BadgeStage) async throws -> Void) async throws {
    try await withServices { services in try await with(services, body) }
  }

  /// Runs `body` with the services, and no identity yet.
  static func withServices(_ body: @escaping @Sendable (FollowedServices) async throws -> Void) async throws {
    try await FollowedServices.with([MatchingName.self, CatalogName.self, LendingName.self, ImporterName.self], body)
  }

  /// Runs `body` with a server of identity beside services that run already; it ends with it.
  static func with(
    _ services: FollowedServices, _ body: @escaping @Sendable (BadgeStage) async throws -> Void
  ) async throws {
    try await services.withIdentity { try await body(BadgeStage(services: services, identity: $0)) }
  }

  func badges(_ login: LoginResponse) async throws -> [BadgeKind] {
    try await BadgesClient(identity.client).listBadges(ListBadgesRequest(), .user(login)).badges.map(\.kind)
  }

  /// Waits until all events of a service have taken effect.
  func caughtUp(with producer: String) async throws {
    try await eventually("identity has caught up with \(producer)") {
      try await identity.value(
        """
        select 'done' from event_cursors where producer = '\(producer)' and consumer = 'identity.badges'
          and (transaction_id, id) >= (
            select transaction_id, id from \(producer).events order by transaction_id desc, id desc limit 1
          )
        """)
    }
  }

  /// Publishes successful sessions as matching, and waits until they have been counted.
  func trained(_ sessions: [SessionSucceeded]) async throws {
    try await services.matching.tell(sessions)
    try await caughtUp(with: "matching")
  }

  func lent(_ changes: [BookStatusChanged]) async throws {
    try await services.lending.tell(changes)
    try await caughtUp(with: "lending")
  }

  func logged(_ workouts: [WorkoutLogged]) async throws {
    try await services.catalog.tell(workouts)
    try await caughtUp(with: "catalog")
  }

  func moved(_ activities: [ActivityStored]) async throws {
    try await services.importer.tell(activities)
    try await caughtUp(with: "importer")
  }

  /// The titles of a user's notifications, the oldest first.
  func told(_ login: LoginResponse) async throws -> [String] {
    let page = try await identity.notifications.listNotifications(
      ListNotificationsRequest(pageSize: 200), .user(login))
    return page.notifications.reversed().map(\.title)
  }

  /// Everything that badges store.
  static let everything = """
    select 'badge', account_id::text, kind, awarded_at::text, '' from identity.badges
    union all select 'session', account_id::text, session_id::text, day::text, '' from identity.badge_sessions
    union all select 'book', account_id::text, book_id::text, '', '' from identity.badge_books
    union all select 'workout', account_id::text, log_id::text, day::text, '' from identity.badge_workouts
    union all select 'activity', account_id::text, activity_id::text, month::text, distance_mm::text
      from identity.badge_activities
    union all select 'notice', account_id::text, source_key, created_at::text, sequence::text from identity.notifications
    order by 1, 2, 3, 4, 5
    """

  /// A session of some users, so many seconds after the beginning of 2026 in UTC; without a length it has no slot.
  static func session(
    _ number: Int, _ users: [LoginResponse], at second: Int64 = 0, lasting length: Int64? = nil,
    in zone: String = "UTC"
  ) -> SessionSucceeded {
    SessionSucceeded(
      sessionID: someID(number), userIds: users.map(\.userID), startTime: .init(seconds: newYear + second),
      timeZone: zone, endTime: length.map { .init(seconds: newYear + second + $0) })
  }

  static let newYear: Int64 = 1_767_225_600
  static let day: Int64 = 86_400

  static func loan(
    _ book: Int, of owner: LoginResponse, to borrower: LoginResponse, _ status: LendingStatus = .borrowed
  ) -> BookStatusChanged {
    BookStatusChanged(
      bookID: someID(book), ownerID: owner.userID, previousStatus: .accepted, status: status, loanID: someID(book),
      borrowerID: borrower.userID, changeTime: .init(seconds: newYear))
  }

  static func workout(_ number: Int, of user: LoginResponse, at second: Int64 = 0) -> WorkoutLogged {
    WorkoutLogged(logID: someID(number), userID: user.userID, startTime: .init(seconds: newYear + second))
  }

  static func activity(
    _ number: Int, of user: LoginResponse, metres: Double, at second: Int64 = 0, in zone: String = "UTC"
  ) -> ActivityStored {
    ActivityStored(
      activityID: someID(number), userID: user.userID, startTime: .init(seconds: newYear + second), timeZone: zone,
      distanceM: metres)
  }
}
