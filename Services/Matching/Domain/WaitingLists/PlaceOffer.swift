import Identifiers

/// An offer of the place in an open session to a user of its waiting list.
public struct PlaceOffer: Sendable, Hashable {
  public let user: UserID
  public let until: Instant

  public init(to user: UserID, until: Instant) { (self.user, self.until) = (user, until) }

  /// `nil` without a user or an end.
  public init?(to user: UserID?, until: Instant?) {
    guard let user, let until else { return nil }
    self.init(to: user, until: until)
  }

  /// Whether it holds no longer, and passes to the next who waits.
  public func isOver(at now: Instant) -> Bool { until <= now }

  /// Whether a user may not join because of it.
  public func excludes(_ other: UserID, at now: Instant) -> Bool { other != user && now < until }
}
