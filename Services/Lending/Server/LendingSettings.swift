import ServiceRuntime

/// The settings of lending, in addition to those of every service.
enum LendingSettings {
  static let declarationWait = Setting<Duration>(
    "declaration-wait", .declarationWait, default: "336h",
    meaning: "how long after a recall, or a confirmed return, a party may end a loan whose other party does not answer")
}

extension SettingKind where Value == Duration {
  /// Long enough that a user who is away for a weekend may answer.
  static let declarationWait = SettingKind("duration", expected: "a duration of 72h to 8760h") { text in
    duration.parse(text).flatMap { (.seconds(3 * 86_400) ... .seconds(365 * 86_400)).contains($0) ? $0 : nil }
  }
}
