import ServiceRuntime

/// The settings of tracking, in addition to those of every service.
enum TrackingSettings {
  static let lookInterval = Setting<Duration>(
    "look-interval", .lookInterval, default: "1s",
    meaning: "how often users are looked for who have fallen silent, stand still or are late")

  static let arrivalRadius = Setting<Int>(
    "arrival-radius", .number(1...1_000), default: "10",
    meaning: "metres from a destination within which it is reached, beside a position's accuracy")

  static let watchQueue = Setting<Int>(
    "watch-queue", .number(16...1_000_000), default: "1024",
    meaning: "changes that may wait for one viewer of groups; with more, the viewer is told to continue anew")
}

extension SettingKind where Value == Duration {
  /// Often enough that what is due is noticed soon, and not without a pause.
  static let lookInterval = SettingKind("duration", expected: "a duration of 10ms to 30s") { text in
    duration.parse(text).flatMap { (.milliseconds(10) ... .seconds(30)).contains($0) ? $0 : nil }
  }
}
