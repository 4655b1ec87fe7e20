import IdentityDomain
import ServiceRuntime

/// Limits on what unauthenticated clients do at the expense of others ([ID-17]): a number, and the time in which it
/// refills.
///
/// The defaults and their reasons are in ``ThrottleKind/policy``.
enum ThrottleSettings {
  private static let settings: [(kind: ThrottleKind, setting: Setting<ThrottlePolicy>)] = [
    limit(.registrationAddress, "registrations-of-address", "accounts registered from one client's address"),
    limit(.registrationDomain, "registrations-of-domain", "accounts registered with addresses of one mail domain"),
    limit(.registrationAll, "registrations-in-all", "accounts registered by everybody"),
    limit(.resendAddress, "resends-of-address", "verification mails asked for again from one client's address"),
    limit(.resendDomain, "resends-of-domain", "verification mails asked for again to one mail domain"),
    limit(.resendAll, "resends-in-all", "verification mails asked for again by everybody"),
    limit(.resetDomain, "resets-of-domain", "reset mails asked for to one mail domain"),
    limit(.resetAll, "resets-in-all", "reset mails asked for by everybody"),
    limit(.passkeyStartAddress, "passkey-starts-of-address", "passkeys asked for from one client's address"),
    limit(.passkeyStartAll, "passkey-starts-in-all", "passkeys asked for by everybody"),
    limit(
      .refusedPasswordAddress, "refused-passwords-of-address",
      "new passwords from one client's address that were judged and came to nothing"),
  ]

  static let all: [SettingDescription] = settings.map(\.setting.description)

  /// The policies of the throttles in the settings.
  static func policies(_ values: Settings) -> ThrottlePolicies {
    ThrottlePolicies(
      Dictionary(settings.map { ($0.kind, values[$0.setting]) }, uniquingKeysWith: { first, _ in first }))
  }

  private static func limit(
    _ kind: ThrottleKind, _ key: String, _ what: String
  ) -> (kind: ThrottleKind, setting: Setting<ThrottlePolicy>) {
    let setting = Setting<ThrottlePolicy>(
      key, .rate, default: kind.policy.rate,
      meaning: "\(what): so many at once, and as many again within the time, one after the other")
    return (kind, setting)
  }
}

extension SettingKind where Value == ThrottlePolicy {
  fileprivate static let rate = SettingKind("number/time", expected: "a number in a time such as 30/1h") { text in
    ThrottlePolicy(rate: text)
  }
}
