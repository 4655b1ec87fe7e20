import Expiry
import Identifiers
import Postgres
import TrackingDomain

extension CountNews {
  /// - Parameter counted: of users, each once.
  package init(_ counted: [(user: UserID, counts: NewsCounts)], at now: Instant) {
    self.init(
      now: now, userIDs: counted.map(\.user), journeys: counted.map(\.counts.journeys),
      alerts: counted.map(\.counts.alerts), stops: counted.map(\.counts.stops), visits: counted.map(\.counts.visits),
      expiredAt: now - NewsLimits.window)
  }
}

extension CountNews.Row {
  package var counts: NewsCounts { NewsCounts(journeys: journeys, alerts: alerts, stops: stops, visits: visits) }
}

extension DeleteOldNewsQuotas: ExpiryStatement {
  package static let kept = NewsLimits.window
}
