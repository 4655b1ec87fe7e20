import Identifiers

/// When somebody wants to be reminded of training ([ID-63]).
public struct ReminderPlan: Sendable, Hashable {
  /// The time of day.
  public var time: LocalTime
  /// On which days; never empty.
  public var weekdays: Weekdays
  /// Whether it reminds at all.
  public var state: State

  /// Whether a reminder reminds.
  public enum State: String, Sendable, Hashable {
    case on = "ON"
    case off = "OFF"
  }

  /// A plan.
  public init(time: LocalTime, weekdays: Weekdays, state: State) {
    (self.time, self.weekdays, self.state) = (time, weekdays, state)
  }

  /// Decides what becomes of a reminder that was due on `day` when it is looked at on `today`, both in the user's zone.
  ///
  /// One that is late, because the service was away, still reminds on the same day; yesterday's is of no use to anybody.
  public static func isWorthSending(dueOn day: CivilDate, today: CivilDate) -> Bool { day == today }
}

/// A time of day in whole minutes.
public struct LocalTime: Sendable, Hashable, CustomStringConvertible {
  /// 0 to 1439 after midnight.
  public let minuteOfDay: Int16

  /// `nil` beyond 23:59.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    minuteOfDay = Int16(hour * 60 + minute)
  }

  /// As stored; `nil` outside 0 to 1439.
  public init?(minuteOfDay: Int16) {
    guard (0..<1_440).contains(minuteOfDay) else { return nil }
    self.minuteOfDay = minuteOfDay
  }

  /// 0 to 23.
  public var hour: Int { Int(minuteOfDay) / 60 }
  /// 0 to 59.
  public var minute: Int { Int(minuteOfDay) % 60 }

  /// `18:05`.
  public var description: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

/// Some days of the week, at least one.
public struct Weekdays: Sendable, Hashable {
  /// 1 for Monday to 7 for Sunday (ISO 8601), ascending, each once.
  public let numbers: [Int16]

  /// `nil` without a day, and for a number that is none.
  public init?(_ numbers: some Sequence<Int16>) {
    let days = Set(numbers)
    guard !days.isEmpty, days.allSatisfy({ (1...7).contains($0) }) else { return nil }
    self.numbers = days.sorted()
  }
}
