/// Hands pushes to whoever brings them to devices: the seam between the service and the platforms' push services.
package protocol PushGateway: Sendable {
  /// Hands `push` over; when it returns, the gateway is responsible for it.
  func send(_ push: Push) async throws(PushFailure)
}

/// Why a push was not handed over.
package enum PushFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The device does not take pushes with this token any more, and never will: the token is of no use.
  case gone
  /// The gateway refuses this push for good.
  case refused(String)
  /// The gateway cannot be reached or does not take the push now: try again later, not before `retryAfter` where it says so.
  case temporary(String, retryAfter: Duration?)

  /// For logs: it holds no token and no credentials.
  package var description: String {
    switch self {
    case .gone: "the token is gone"
    case .refused(let reason): "refused: \(reason)"
    case .temporary(let reason, _): "not sent for now: \(reason)"
    }
  }
}
