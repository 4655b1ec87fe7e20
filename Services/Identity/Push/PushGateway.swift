/// Sends pushes to devices: the interface between the service and the platforms' push services.
package protocol PushGateway: Sendable {
  /// Hands `push` over; after it returns, the gateway is responsible for the push.
  func send(_ push: Push) async throws(PushFailure)
}

/// Why a push was not handed over.
package enum PushFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The device's token is permanently invalid.
  case gone
  /// The gateway refuses this push permanently.
  case refused(String)
  /// The gateway cannot be reached or does not accept the push now: retry later, not before `retryAfter` if it is
  /// given.
  case temporary(String, retryAfter: Duration?)

  /// For logs: it contains no token and no credentials.
  package var description: String {
    switch self {
    case .gone: "the token is gone"
    case .refused(let reason): "refused: \(reason)"
    case .temporary(let reason, _): "not sent for now: \(reason)"
    }
  }
}
