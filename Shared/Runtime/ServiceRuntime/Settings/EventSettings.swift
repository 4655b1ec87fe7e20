/// How long a service keeps its events.
public enum EventSettings {
  /// The age at which events may be removed.
  public static let kept = Setting<Duration>(
    "events-kept", .hoursOrMore, default: "7d",
    meaning: "how long events are kept at least, however soon every follower has got them; 1h or more")
  /// How long events are kept for a follower that is away.
  public static let consumerTimeout = Setting<Duration>(
    "events-consumer-timeout", .hoursOrMore, default: "30d",
    meaning: "how long a follower may stay away before events go that it has not got, and it has to resync; 1h or more"
  )

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = [kept.description, consumerTimeout.description]
}

extension SettingKind where Value == Duration {
  /// Not less than an hour: a follower that starts needs the sessions that ended within the lifetime of their tokens.
  fileprivate static let hoursOrMore = SettingKind(
    "duration", expected: "a duration of an hour or more such as 24h or 7d"
  ) {
    text in duration.parse(text).flatMap { $0 >= .seconds(3_600) ? $0 : nil }
  }
}
