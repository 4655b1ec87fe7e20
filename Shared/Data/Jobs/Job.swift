public import Identifiers

/// Work to be done later; scheduled by ``Postgres/Transaction/schedule(_:with:)``.
public struct Job: Sendable {
  /// When it is done.
  public enum Time: Sendable, Hashable {
    /// Once, at that moment or as soon after it as a replica is free.
    case once(Instant)
    /// Repeatedly, until it is cancelled; for the first time on a local day after the given one, if any.
    case repeating(Recurrence, after: CivilDate?)
  }

  /// What happens to an earlier job of the same kind and key that is not done.
  public enum Earlier: Sendable, Hashable {
    /// The new job replaces it.
    case isReplaced
    /// It stays and the new job is dropped, unless both repeat and differ in their recurrence.
    case isKept
  }

  let kind: String
  let payload: [UInt8]
  let key: String?
  let time: Time
  let earlier: Earlier

  /// A job that is done once.
  ///
  /// - Parameter key: what it is about, 1 to 200 characters: a kind has at most one pending job with it. Without one it
  ///   can neither be cancelled nor replaced.
  public init<Payload>(
    _ kind: JobKind<Payload>, _ payload: Payload, at moment: Instant, key: String? = nil,
    ifScheduled earlier: Earlier = .isReplaced
  ) {
    self.init(kind, payload, .once(moment), key, earlier)
  }

  /// A job that is done at a local time on some days of the week.
  ///
  /// - Parameters:
  ///   - lastDay: the local day on which it was last done by an earlier schedule: it is not done on or before that day
  ///     again.
  ///   - key: what it is about, 1 to 200 characters.
  public init<Payload>(
    _ kind: JobKind<Payload>, _ payload: Payload, repeating recurrence: Recurrence, after lastDay: CivilDate? = nil,
    key: String, ifScheduled earlier: Earlier = .isReplaced
  ) {
    self.init(kind, payload, .repeating(recurrence, after: lastDay), key, earlier)
  }

  private init<Payload>(
    _ kind: JobKind<Payload>, _ payload: Payload, _ time: Time, _ key: String?, _ earlier: Earlier
  ) {
    self.kind = kind.name
    self.payload = payload.jobBytes
    self.key = key
    self.time = time
    self.earlier = earlier
  }
}

/// A local time of day on some days of the week: every weekday at 7:30 in Berlin.
///
/// A time that the zone skips, when clocks are put forward, is the moment after the gap; one that occurs twice is the
/// first of both. A day that the zone skips has no occurrence.
public struct Recurrence: Sendable, Hashable {
  /// Minutes since local midnight, 0 to 1439.
  public let minuteOfDay: Int
  /// At least one day.
  public let weekdays: Weekdays
  /// An IANA name that the database knows; scheduling with another fails with `22023`.
  public let zone: String

  /// `nil` when there is no such time of day, no day, or no zone.
  public init?(hour: Int, minute: Int, on weekdays: Weekdays = .everyDay, in zone: String) {
    guard (0...23).contains(hour), (0...59).contains(minute), !weekdays.isEmpty, (1...64).contains(zone.count) else {
      return nil
    }
    minuteOfDay = hour * 60 + minute
    self.weekdays = weekdays
    self.zone = zone
  }
}

/// A set of days of the week.
public struct Weekdays: OptionSet, Sendable, Hashable {
  /// The sum of 1 for Monday to 64 for Sunday.
  public let rawValue: Int

  /// A set from the sum of its days' values; bits beyond Sunday's are ignored.
  public init(rawValue: Int) { self.rawValue = rawValue & 127 }

  public static let monday = Weekdays(rawValue: 1)
  public static let tuesday = Weekdays(rawValue: 2)
  public static let wednesday = Weekdays(rawValue: 4)
  public static let thursday = Weekdays(rawValue: 8)
  public static let friday = Weekdays(rawValue: 16)
  public static let saturday = Weekdays(rawValue: 32)
  public static let sunday = Weekdays(rawValue: 64)
  public static let everyDay = Weekdays(rawValue: 127)
}
