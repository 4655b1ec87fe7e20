import Jobs

/// How many jobs a replica runs, and how often it polls, where an operator may have reason to change it.
public enum JobSettings {
  /// Jobs of all kinds that run at a time.
  public static let atOnce = Setting<Int>(
    "jobs-at-once", .number(1...1_000), default: "\(JobWorkerLimits().atOnce)",
    meaning:
      "jobs that one replica runs at a time; those of one kind are limited besides, and some kinds have places of their own"
  )
  /// The interval of polls without a signal.
  public static let lookInterval = Setting<Duration>(
    "jobs-look-interval", .positiveDuration, default: "5s",
    meaning: "how long a due job may stay unnoticed that a replica left behind, or that a step of the clock made due")

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = [atOnce.description, lookInterval.description]
}

extension JobWorkerLimits {
  /// The configured limits.
  init(_ settings: Settings) {
    self.init()
    atOnce = settings[JobSettings.atOnce]
    lookInterval = settings[JobSettings.lookInterval]
  }
}
