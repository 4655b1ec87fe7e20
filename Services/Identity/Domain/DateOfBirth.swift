import Identifiers

/// A day somebody alive can have been born on ([ID-21]).
public struct DateOfBirth: Sendable, Hashable {
  /// What a refusal says.
  public static let refusal = "Please choose a valid date of birth"
  /// Nobody is known to have been older than 122; the rule is [ID-21]'s.
  public static let greatestAge = 120

  /// The day.
  public let date: CivilDate

  /// The date, or `nil` when there is no such day, or it is after `today` or over 120 years before it.
  ///
  /// - Parameter today: the day it is in the user's own time zone.
  public init?(year: Int, month: Int, day: Int, today: CivilDate) {
    guard let date = CivilDate(year: year, month: month, day: day), date <= today,
      (today.year - Self.greatestAge, today.month, today.day) <= (date.year, date.month, date.day)
    else { return nil }
    self.date = date
  }

  /// A date that was judged when it was stored.
  public init(stored date: CivilDate) {
    self.date = date
  }
}
