import Identifiers

/// A plausible date of birth of a living user ([ID-21]).
public struct DateOfBirth: Sendable, Hashable {
  /// The error message for an invalid date.
  public static let refusal = "Please choose a valid date of birth"
  /// In years, as [ID-21] sets it; the highest known age of any human is 122.
  public static let greatestAge = 120

  public let date: CivilDate

  /// The date, or `nil` when there is no such day, or it is after `today` or over 120 years before it.
  ///
  /// - Parameter today: the current date in the user's time zone.
  public init?(year: Int, month: Int, day: Int, today: CivilDate) {
    guard let date = CivilDate(year: year, month: month, day: day), date <= today,
      (today.year - Self.greatestAge, today.month, today.day) <= (date.year, date.month, date.day)
    else { return nil }
    self.date = date
  }

  /// The user's age in whole years: all that others learn of the date ([ID-20]). Born on 29 February, a user is a year
  /// older on 1 March in other years.
  ///
  /// - Parameter today: the current date in the user's time zone.
  public func age(on today: CivilDate) -> Int {
    let hadBirthday = (date.month, date.day) <= (today.month, today.day)
    return max(0, today.year - date.year - (hadBirthday ? 0 : 1))
  }

  /// A stored date, which was checked before it was stored.
  public init(stored date: CivilDate) {
    self.date = date
  }
}
