import Environment
import Events
import Identifiers
import Metrics
import Postgres
import TandemEvents
import TrackingDomain
import TrackingStore

/// Notifies the members of groups of what happened to users: each member once of each news, however many of the groups they are in.
struct TrackerNotices: Sendable {
  private let events: Outbox
  private let clock: any WallClock
  private let omittedAlerts = Self.omitted("alerts")
  private let omittedStops = Self.omitted("stops")
  private let omittedVisits = Self.omitted("visits")

  init(events: Outbox, clock: any WallClock) { (self.events, self.clock) = (events, clock) }

  private static func omitted(_ kind: String) -> Counter {
    Counter(label: "tracking_news_omitted_total", dimensions: [("kind", kind)])
  }

  /// Publishes the news of users, in the transaction that stores what happened: in few round trips, however many users there are.
  func publish(_ trackers: [Tracker], _ tx: Transaction) async throws {
    let notices = try await limited(trackers, tx).flatMap { tracker in
      tracker.news.map { $0.notice(of: tracker.userID) } + tracker.placeNews.map { $0.notice(of: tracker.userID) }
    }
    guard !notices.isEmpty else { return }
    let told = try await tx.rows(RecipientsOfNews(notices))
    let alerted = told.filter { notices[Int($0.news)].alertID != nil }
    if !alerted.isEmpty {
      tx.queue(
        CountAlerted(
          journeyIDs: alerted.compactMap { notices[Int($0.news)].alertID },
          counts: alerted.map { Int32($0.recipientIDs.count) }))
    }
    try await events.publish(each: told.flatMap { notices[Int($0.news)].requests(to: $0.recipientIDs) }, in: tx)
  }

  /// The users with those news of which others are notified: what has a limit is counted, and left out beyond it.
  private func limited(_ trackers: [Tracker], _ tx: Transaction) async throws -> [Tracker] {
    let counted = trackers.compactMap { tracker in tracker.countedNews.map { (user: tracker.userID, counts: $0) } }
    guard !counted.isEmpty else { return trackers }
    let hours = try await tx.rows(CountNews(counted, at: clock.now))
    let countsOf = Dictionary(uniqueKeysWithValues: hours.map { ($0.userID, $0.counts) })
    return trackers.map { tracker in
      guard let counts = countsOf[tracker.userID] else { return tracker }
      var tracker = tracker
      let omitted = tracker.limitNews(by: counts)
      let ofReports = tracker.omittedVisits
      tx.afterCommit {
        omittedAlerts.increment(by: omitted.alerts)
        omittedStops.increment(by: omitted.stops)
        omittedVisits.increment(by: Int(omitted.visits) + ofReports)
      }
      return tracker
    }
  }
}

/// What the members of some groups are notified of.
private struct Notice {
  let userID: UserID
  let groupIDs: [GroupID]
  /// Groups whose members are not notified.
  var otherGroupIDs: [GroupID] = []
  /// The alert that it says has begun; `nil` for any other news.
  var alertID: JourneyID?
  /// Tells notifications apart: those of one kind by their times, where there may be several.
  let key: String
  let subject: String
  let content: NotificationRequested.News

  /// The most recipients of one event.
  private static let maxRecipients = 500

  func requests(to recipients: [UserID]) -> [NotificationRequested] {
    stride(from: 0, to: recipients.count, by: Self.maxRecipients).map { start in
      NotificationRequested(
        notificationKey: "\(key)/\(start)",
        recipientIds: recipients[start..<min(start + Self.maxRecipients, recipients.count)].map(\.description),
        subject: subject, news: content)
    }
  }
}

extension RecipientsOfNews {
  /// Of each notice, numbered by its place.
  fileprivate init(_ notices: [Notice]) {
    let told = notices.enumerated().flatMap { number, notice in notice.groupIDs.map { (number, notice.userID, $0) } }
    let others = notices.enumerated().flatMap { number, notice in notice.otherGroupIDs.map { (number, $0) } }
    self.init(
      news: told.map { Int32($0.0) }, userIDs: told.map(\.1), groupIDs: told.map(\.2),
      otherNews: others.map { Int32($0.0) }, otherGroupIDs: others.map(\.1.uuid))
  }
}

extension PlaceNews {
  fileprivate func notice(of user: UserID) -> Notice {
    Notice(
      userID: user, groupIDs: groupIDs, otherGroupIDs: otherGroupIDs,
      key: "places/\(placeID)/\(event.kind == .arrival ? "reached" : "left")/\(event.at.microseconds)",
      subject: "users/\(user)", content: content(of: user))
  }

  private func content(of user: UserID) -> NotificationRequested.News {
    let place = NotificationRequested.PlaceNews(memberID: user.description, place: name)
    return event.kind == .arrival ? .placeReached(place) : .placeLeft(place)
  }
}

extension TrackerNews {
  fileprivate func notice(of user: UserID) -> Notice {
    Notice(
      userID: user, groupIDs: groupIDs, otherGroupIDs: otherGroupIDs, alertID: news == .sosStarted ? journeyID : nil,
      key: "journeys/\(journeyID)/\(news.word)/\(at.microseconds)",
      subject: "journeys/\(journeyID)", content: news.content(of: user))
  }
}

extension MemberNews {
  fileprivate var word: String {
    switch self {
    case .sosStarted: "sos_started"
    case .sosStopped: "sos_stopped"
    case .journeyStarted: "started"
    case .journeyEnded: "ended"
    case .arrivedOnTime: "on_time"
    case .arrivedLate: "late"
    case .standingStill: "standing"
    case .notArrived: "not_arrived"
    case .wentOffline, .wentOfflineInSOS: "offline"
    }
  }

  fileprivate func content(of user: UserID) -> NotificationRequested.News {
    let member = NotificationRequested.MemberNews(memberID: user.description)
    return switch self {
    case .sosStarted: .sosStarted(member)
    case .sosStopped: .sosStopped(member)
    case .journeyStarted: .journeyStarted(member)
    case .journeyEnded: .journeyEnded(member)
    case .arrivedOnTime: .arrivedOnTime(member)
    case .arrivedLate: .arrivedLate(member)
    case .standingStill: .standingStill(member)
    case .notArrived: .notArrived(member)
    case .wentOffline: .wentOffline(member)
    case .wentOfflineInSOS: .sosWentOffline(member)
    }
  }
}
