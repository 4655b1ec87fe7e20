/// How long identity's secrets and states last, each as its rule says.
public enum Lifetimes {
  /// [ID-4] A verification token works for 24 h.
  public static let verificationToken: Duration = .seconds(24 * 3_600)
  /// [ID-4] Between two verification mails.
  public static let resendCooldown: Duration = .seconds(60)
  /// [ID-1] An account that nobody verified frees its names after 7 days.
  public static let unverifiedAccount: Duration = .seconds(7 * 24 * 3_600)
  /// [ID-22] A username that its owner replaced stays reserved for them for 30 days.
  public static let reservedUsername: Duration = .seconds(30 * 24 * 3_600)
  /// [ID-5] An access token works for 10 min.
  public static let accessToken: Duration = .seconds(600)
  /// [ID-5] A refresh token works for 30 days.
  public static let refreshToken: Duration = .seconds(30 * 24 * 3_600)
  /// However often its tokens are replaced, a session ends 180 days after the login.
  public static let session: Duration = .seconds(180 * 24 * 3_600)
  /// [ID-6] A client that lost the answer can ask for it again so long.
  public static let refreshReplay: Duration = .seconds(60)
  /// [ID-11] A passkey's challenge works for 5 min.
  public static let passkeyChallenge: Duration = .seconds(300)
  /// [ID-12] Whom a provider knows can register or link for 10 min after coming back.
  public static let identityTicket: Duration = .seconds(600)
  /// [ID-13] Who has proved who they are may change how their account is logged in to for 10 min.
  public static let freshLogin: Duration = .seconds(600)
  /// [ID-8] A reset token works for 30 min.
  public static let resetToken: Duration = .seconds(30 * 60)
  /// What happened to accounts can be looked up for 180 days.
  public static let securityEvent: Duration = .seconds(180 * 24 * 3_600)
  /// [ID-61] Mail and pushes that cannot be sent are tried for 24 h.
  public static let delivery: Duration = .seconds(24 * 3_600)
  /// What became of a mail or push can be looked up for 30 days.
  public static let settledDelivery: Duration = .seconds(30 * 24 * 3_600)
  /// [ID-60] Notifications are kept for 180 days; an event that is delivered again after that would be news again.
  public static let notification: Duration = .seconds(180 * 24 * 3_600)
}
