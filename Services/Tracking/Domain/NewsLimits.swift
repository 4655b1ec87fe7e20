import Identifiers

/// How much one user may have others notified of: what happens to a person, not what a program can make happen.
///
/// All but ``maxVisitsOfReport`` are of a ``window`` that begins with the first of what is counted.
public enum NewsLimits {
  public static let window = Duration.seconds(3_600)
  /// Journeys that a user starts; one more is refused.
  public static let maxJourneys: Int32 = 30
  /// SOS alerts of which others are notified. One more is no less an alert, and groups see it.
  public static let maxAlerts: Int32 = 10
  /// Stops on journeys of which others are notified.
  public static let maxStops: Int32 = 60
  /// Arrivals at places, and departures, of which others are notified.
  public static let maxVisits: Int32 = 60
  /// Arrivals at places, and departures, of one report that groups see: each of the most places that a user can have, once.
  public static let maxVisitsOfReport = Geofence.maxOfUser

  /// How long to wait after so many started journeys; `nil` if they are allowed.
  public static func wait(_ journeys: Int32, since start: Instant, at now: Instant) -> Duration? {
    journeys > maxJourneys ? max(.zero, start + window - now) : nil
  }
}

/// How often something happened that is counted.
public struct NewsCounts: Sendable, Hashable {
  public var journeys: Int32
  public var alerts: Int32
  public var stops: Int32
  public var visits: Int32

  public init(journeys: Int32 = 0, alerts: Int32 = 0, stops: Int32 = 0, visits: Int32 = 0) {
    (self.journeys, self.alerts, self.stops, self.visits) = (journeys, alerts, stops, visits)
  }
}

extension Tracker {
  /// What is counted of the news; `nil` where others are notified of all of them, however many there were. Silence is not counted: it takes a
  /// minute each time.
  public var countedNews: NewsCounts? {
    let counts = NewsCounts(alerts: count(.sosStarted), stops: count(.standingStill), visits: Int32(placeNews.count))
    return counts != NewsCounts() || count(.sosStopped) > 0 ? counts : nil
  }

  private func count(_ kind: MemberNews) -> Int32 { Int32(news.count { $0.news == kind }) }

  /// Leaves out the news beyond the limits, the earliest ones; returns how many.
  ///
  /// - Parameter counted: within the window, these news included.
  public mutating func limitNews(by counted: NewsCounts) -> NewsCounts {
    var omitted = NewsCounts()
    // The end of an alert is told like its beginning.
    if counted.alerts > NewsLimits.maxAlerts { omitted.alerts = omit([.sosStarted, .sosStopped], .max) }
    omitted.stops = omit([.standingStill], counted.stops - NewsLimits.maxStops)
    omitted.visits = max(0, min(counted.visits - NewsLimits.maxVisits, Int32(placeNews.count)))
    placeNews.removeFirst(Int(omitted.visits))
    return omitted
  }

  /// Leaves out the first news of some kinds, so many at most; returns how many.
  private mutating func omit(_ kinds: Set<MemberNews>, _ most: Int32) -> Int32 {
    var omitted: Int32 = 0
    news.removeAll { item in
      guard kinds.contains(item.news), omitted < most else { return false }
      omitted += 1
      return true
    }
    return omitted
  }
}
