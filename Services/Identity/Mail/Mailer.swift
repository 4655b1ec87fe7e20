/// Sends mail: the interface between the service and mail servers.
package protocol Mailer: Sendable {
  /// Hands `mail` over; after it returns, another program is responsible for the mail.
  ///
  /// Does not block an event loop. A mail whose sending was cancelled may have been sent, like one that failed with
  /// ``MailFailure/unsure(_:)``.
  func send(_ mail: Mail) async throws(MailFailure)
}

/// Why a mail was not handed over.
package enum MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mail server refuses this mail permanently (a 5xx reply): a retry cannot help.
  case refused(String)
  /// The mail server cannot be reached or cannot accept the mail now: nothing was sent, retry later.
  case temporary(String)
  /// The connection was lost after all of the mail had been sent: the server may or may not have accepted it.
  case unsure(String)

  package var reason: String {
    switch self {
    case .refused(let reason), .temporary(let reason), .unsure(let reason): reason
    }
  }

  /// For logs: it may name the recipient's mail server, but never contains the mail's content.
  package var description: String {
    switch self {
    case .refused(let reason): "refused: \(reason)"
    case .temporary(let reason): "not sent for now: \(reason)"
    case .unsure(let reason): "perhaps sent: \(reason)"
    }
  }
}
