extension Status {
  private static let drainingReason = "DRAINING"

  /// The refusal of a call by a server that is stopping. The call was not begun: a client may make it elsewhere, whatever its method.
  static let draining = Status(
    .unavailable, reason: drainingReason,
    "The service is stopping; call another replica, or this one again shortly", retryAfter: .seconds(1))

  /// Whether a server refused the call because it is stopping.
  var isDraining: Bool { code == .unavailable && errorInfo?.reason == Self.drainingReason }
}
