import Identifiers

/// The weekly plan of a user's training reminder ([ID-63]).
public struct ReminderPlan: Sendable, Hashable {
  /// The local time of day.
  public var time: LocalTime
  /// The days to remind on; never empty.
  public var weekdays: Weekdays
  public var state: State

  public enum State: String, Sendable, Hashable {
    case on = "ON"
    case off = "OFF"
  }

  public init(time: LocalTime, weekdays: Weekdays, state: State) {
    (self.time, self.weekdays, self.state) = (time, weekdays, state)
  }

  /// Decides whether a reminder that was due on `day` is still sent on `today`, both in the user's zone.
  ///
  /// A late reminder, for example after an outage, is still sent on the same day, but not on a later one.
  public static func isWorthSending(dueOn day: CivilDate, today: CivilDate) -> Bool { day == today }
}

/// A time of day in whole minutes.
public struct LocalTime: Sendable, Hashable, CustomStringConvertible {
  /// 0 to 1439 after midnight.
  public let minuteOfDay: Int16

  /// `nil` outside 00:00 to 23:59.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    minuteOfDay = Int16(hour * 60 + minute)
  }

  /// A stored time; `nil` outside 0 to 1439.
  public init?(minuteOfDay: Int16) {
    guard (0..<1_440).contains(minuteOfDay) else { return nil }
    self.minuteOfDay = minuteOfDay
  }

  /// 0 to 23.
  public var hour: Int { Int(minuteOfDay) / 60 }
  /// 0 to 59.
  public var minute: Int { Int(minuteOfDay) % 60 }

  /// In the form `18:05`.
  public var description: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

/// Some days of the week, at least one.
public struct Weekdays: Sendable, Hashable {
  /// 1 for Monday to 7 for Sunday (ISO 8601), ascending, each once.
  public let numbers: [Int16]

  /// `nil` when empty or when a number is not in 1 to 7.
  public init?(_ numbers: some Sequence<Int16>) {
    let days = Set(numbers)
    guard !days.isEmpty, days.allSatisfy({ (1...7).contains($0) }) else { return nil }
    self.numbers = days.sorted()
  }
}
