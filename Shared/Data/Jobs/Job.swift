public import Identifiers

/// Something to be done later; scheduled by ``Postgres/Transaction/schedule(_:with:)``.
public struct Job: Sendable {
  /// When it is done.
  public enum Time: Sendable, Hashable {
    /// Once, at that moment, or as soon after it as there is somebody to do it.
    case once(Instant)
    /// Again and again, until it is cancelled; for the first time on a later local day than one, if any.
    case repeating(Recurrence, after: CivilDate?)
  }

  /// What becomes of a job of the same kind and key that was scheduled before and is not done.
  public enum Earlier: Sendable, Hashable {
    /// This one takes its place.
    case isReplaced
    /// It stays and this one is forgotten, unless both repeat and differ in when.
    case isKept
  }

  let kind: String
  let payload: [UInt8]
  let key: String?
  let time: Time
  let earlier: Earlier

  /// A job that is done once.
  ///
  /// - Parameter key: what it is about, 1 to 200 characters: a kind has at most one living job with it. Without one it can neither be cancelled
  ///   nor replaced.
  public init<Payload>(
    _ kind: JobKind<Payload>, _ payload: Payload, at moment: Instant, key: String? = nil,
    ifScheduled earlier: Earlier = .isReplaced
  ) {
    self.init(kind, payload, .once(moment), key, earlier)
  }

  /// A job that is done at a local time of some days.
  ///
  /// - Parameters:
  ///   - lastDay: the local day on which it was done by an earlier schedule: it is not done on it, or before it, again.
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
/// A time that the zone skips, as clocks are put forward, is the moment after the gap; one that occurs twice is the first of both. A day that
/// the zone skips has none.
public struct Recurrence: Sendable, Hashable {
  /// Minutes since local midnight, 0 to 1439.
  public let minuteOfDay: Int
  /// On which days; never none.
  public let weekdays: Weekdays
  /// An IANA name that the database knows; scheduling with another fails with `22023`.
  public let zone: String

  /// `nil` when there is no such time of day, no day at all, or no zone.
  public init?(hour: Int, minute: Int, on weekdays: Weekdays = .everyDay, in zone: String) {
    guard (0...23).contains(hour), (0...59).contains(minute), !weekdays.isEmpty, (1...64).contains(zone.count) else {
      return nil
    }
    minuteOfDay = hour * 60 + minute
    self.weekdays = weekdays
    self.zone = zone
  }
}

/// Some of the seven days.
public struct Weekdays: OptionSet, Sendable, Hashable {
  /// The sum of 1 for Monday to 64 for Sunday.
  public let rawValue: Int

  /// Days by their sum; what is beyond Sunday is cut off.
  public init(rawValue: Int) { self.rawValue = rawValue & 127 }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let monday = Weekdays(rawValue: 1)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let tuesday = Weekdays(rawValue: 2)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let wednesday = Weekdays(rawValue: 4)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let thursday = Weekdays(rawValue: 8)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let friday = Weekdays(rawValue: 16)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let saturday = Weekdays(rawValue: 32)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static let sunday = Weekdays(rawValue: 64)
  /// All seven.
  public static let everyDay = Weekdays(rawValue: 127)
}
