import FieldViolations
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Switches off mail of the kind that the token of a mail names ([ID-61]).
  package func unsubscribe(_ call: UnsubscribeRequest, _ context: CallContext) async throws -> UnsubscribeResponse {
    guard let (reader, kind) = try unsubscription.subject(of: call.token) else {
      throw BadFields.unknownUnsubscribeToken
    }
    guard !kind.fixedChannels.contains(.mail) else { throw Status.mailFixed }
    try await database.transaction { tx in
      // A user who has deleted the account gets no more mail; no error is needed.
      guard try await tx.first(LockInbox(userID: reader)) != nil else { return }
      try await tx.execute(SetPreference(userID: reader, kind: kind, byMail: false, byPush: nil))
    }
    return UnsubscribeResponse(kind: kind.wire)
  }
}

extension BadFields {
  /// [ID-61]. The token was not issued in a mail.
  fileprivate static let unknownUnsubscribeToken = BadFields(
    "token", "The link is not one from a mail; change your preferences in the app",
    NotificationReason.unsubscribeTokenInvalid)
}

extension Status {
  /// [MA-9]
  fileprivate static let mailFixed = Status(
    NotificationReason.mailFixed,
    "Mail of this kind belongs to a session that you agreed to, and cannot be switched off")
}
