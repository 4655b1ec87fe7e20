import Identifiers
import JSONText

/// A notification for one device.
package struct Push: Sendable, Equatable {
  /// The delivery's id, by which the gateway recognises a repetition.
  package let id: UUID7
  /// The token that the platform issued to the app. Together with the gateway's credentials it gives access to the
  /// device, so it is not logged.
  package let token: String
  /// APPLE, FIREBASE or WEB.
  package let platform: String
  /// The notification's id.
  package let notificationID: UUID7
  /// The notification's sequence number in its inbox.
  package let sequence: Int64
  /// The name of the kind, such as GYM_REMINDER.
  package let kind: String
  package let title: String
  package let body: String
  /// The object that it concerns; may be empty.
  package let subject: String

  package init(
    id: UUID7, token: String, platform: String, notificationID: UUID7, sequence: Int64, kind: String, title: String,
    body: String, subject: String
  ) {
    self.id = id
    self.token = token
    self.platform = platform
    self.notificationID = notificationID
    self.sequence = sequence
    self.kind = kind
    self.title = title
    self.body = body
    self.subject = subject
  }

  /// The JSON body of the request to the gateway.
  var json: String {
    let texts: KeyValuePairs = [
      "token": token, "platform": platform, "notification_id": "\(notificationID)", "kind": kind, "title": title,
      "body": body, "subject": subject,
    ]
    let members = texts.map { "\"\($0.key)\":\(JSONText.quoted($0.value))" } + ["\"sequence\":\(sequence)"]
    return "{\(members.joined(separator: ","))}"
  }
}
