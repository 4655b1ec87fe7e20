/// How long identity's secrets and records last.
public enum Lifetimes {
  /// [ID-4] Validity of a verification token: 24 h.
  public static let verificationToken: Duration = .seconds(24 * 3_600)
  /// [ID-4] Minimum time between two verification mails.
  public static let resendCooldown: Duration = .seconds(60)
  /// [ID-1] Time after which an unverified account releases its names: 7 days.
  public static let unverifiedAccount: Duration = .seconds(7 * 24 * 3_600)
  /// [ID-22] Time for which a username that its owner replaced stays reserved for them: 30 days.
  public static let reservedUsername: Duration = .seconds(30 * 24 * 3_600)
  /// [ID-5] Validity of an access token: 10 min.
  public static let accessToken: Duration = .seconds(600)
  /// [ID-5] Validity of a refresh token: 30 days.
  public static let refreshToken: Duration = .seconds(30 * 24 * 3_600)
  /// Maximum age of a session since its login, however often its tokens are refreshed: 180 days.
  public static let session: Duration = .seconds(180 * 24 * 3_600)
  /// [ID-10] Time after the last login from a device for which it is remembered: a year, as a session may continue half a
  /// year without another login.
  public static let rememberedDevice: Duration = .seconds(365 * 24 * 3_600)
  /// [ID-6] Time within which a client that lost the response can request it again.
  public static let refreshReplay: Duration = .seconds(60)
  /// [ID-11] Validity of a passkey challenge: 5 min.
  public static let passkeyChallenge: Duration = .seconds(300)
  /// [ID-12] Time within which a user who came back from a provider can register or link: 10 min.
  public static let identityTicket: Duration = .seconds(600)
  /// [ID-13] Time after authentication within which a user may change login methods: 10 min.
  public static let freshLogin: Duration = .seconds(600)
  /// [ID-8] Validity of a reset token: 30 min.
  public static let resetToken: Duration = .seconds(30 * 60)
  /// [ID-44] Time within which a user can accept an invitation to a group: 14 days.
  public static let invitation: Duration = .seconds(14 * 24 * 3_600)
  /// [ID-44] Time for which a user who declined an invitation cannot be invited to the group again: 30 days.
  public static let declinedInvitation: Duration = .seconds(30 * 24 * 3_600)
  /// [ID-44] Time for which an unread notification of an invitation also stands for later invitations: 24 h.
  public static let invitationNotice: Duration = .seconds(24 * 3_600)
  /// [ID-15] Validity of the link that confirms a new e-mail address: 24 h.
  public static let emailConfirmation: Duration = .seconds(24 * 3_600)
  /// [ID-15] Time for which a change of the e-mail address can be undone from the old one: 7 days.
  public static let emailUndo: Duration = .seconds(7 * 24 * 3_600)
  /// Retention of a change of the e-mail address after its link has expired: 7 days.
  public static let expiredEmailChange: Duration = .seconds(7 * 24 * 3_600)
  /// Retention of security events: 180 days.
  public static let securityEvent: Duration = .seconds(180 * 24 * 3_600)
  /// [ID-61] Time for which mail and pushes that cannot be sent are retried: 24 h.
  public static let delivery: Duration = .seconds(24 * 3_600)
  /// Retention of the outcome of a mail or push: 30 days.
  public static let settledDelivery: Duration = .seconds(30 * 24 * 3_600)
  /// [ID-60] Retention of notifications: 180 days. An event that is delivered again later would be notified again.
  public static let notification: Duration = .seconds(180 * 24 * 3_600)
  /// Notifications that an inbox keeps, the newest: more than half a year of thirty a day, and so few that an account is
  /// deleted in one transaction ([C-9]).
  public static let maxNotifications: Int64 = 5_000
  /// Sessions of an account that have not ended: more than a user has devices.
  public static let maxSessions: Int64 = 100
  /// Security events of an account that are kept, the latest.
  public static let maxSecurityEvents: Int64 = 2_000
  /// [C-11] Validity of a token of changes: 180 days.
  public static let changeToken: Duration = .seconds(180 * 24 * 3_600)
  /// [C-11] Retention of who was in a group: a day longer than any token that does not know it yet.
  public static let formerMember: Duration = .seconds(181 * 24 * 3_600)
}
