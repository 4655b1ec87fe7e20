public import TTRPC

extension Status {
  /// A change of the same thing was stored meanwhile: nothing was done, and the call may be repeated.
  public static let concurrentChange = Status(
    .aborted, reason: "CONCURRENT_CHANGE", "Another call changed the same thing; try again", retryAfter: .zero)
}
