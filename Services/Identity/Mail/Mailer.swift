/// Sends mail: the seam between the service and the world's mail servers.
package protocol Mailer: Sendable {
  /// Hands `mail` over; when it returns, another program is responsible for it.
  ///
  /// Blocks no event loop. A mail whose sending was cancelled may have gone out all the same, as one that failed with
  /// ``MailFailure/unsure(_:)``.
  func send(_ mail: Mail) async throws(MailFailure)
}

/// Why a mail was not handed over.
package enum MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mail server refuses this mail for good (a 5xx answer): trying again cannot help.
  case refused(String)
  /// The mail server cannot be reached or cannot take the mail now: nothing was sent, try again later.
  case temporary(String)
  /// All of the mail was on its way when the connection was lost: it may have been taken, and may not.
  case unsure(String)

  /// What went wrong.
  package var reason: String {
    switch self {
    case .refused(let reason), .temporary(let reason), .unsure(let reason): reason
    }
  }

  /// For logs: it may name the recipient's mail server, never the mail's content.
  package var description: String {
    switch self {
    case .refused(let reason): "refused: \(reason)"
    case .temporary(let reason): "not sent for now: \(reason)"
    case .unsure(let reason): "perhaps sent: \(reason)"
    }
  }
}
