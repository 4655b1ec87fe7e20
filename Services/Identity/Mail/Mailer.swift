/// Sends mail: the seam between the service and the world's mail servers.
package protocol Mailer: Sendable {
  /// Hands `mail` over; when it returns, another program is responsible for it.
  ///
  /// Blocks no event loop. A mail whose sending was cancelled or failed may have gone out all the same.
  func send(_ mail: Mail) async throws(MailFailure)
}

/// Why a mail was not handed over.
package enum MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mail server refuses this mail for good (a 5xx answer): trying again cannot help.
  case refused(String)
  /// The mail server cannot be reached or cannot take the mail now: try again later.
  case temporary(String)

  /// What went wrong.
  package var reason: String {
    switch self {
    case .refused(let reason), .temporary(let reason): reason
    }
  }

  /// For logs: it may name the recipient's mail server, never the mail's content.
  package var description: String {
    switch self {
    case .refused(let reason): "refused: \(reason)"
    case .temporary(let reason): "not sent for now: \(reason)"
    }
  }
}
