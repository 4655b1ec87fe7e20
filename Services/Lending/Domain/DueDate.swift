import Identifiers

/// The due date of a loan ([LE-12]): a day in a time zone.
public struct DueDate: Sendable, Hashable {
  /// The last day.
  public let day: CivilDate
  /// An IANA name.
  public let zone: String
  /// When the borrower is reminded: on the morning of the day before.
  public let reminderAt: Instant
  /// The end of the day, after which the loan is overdue.
  public let endsAt: Instant

  /// The local hour of the reminder.
  public static let reminderHour = 9
  /// The longest loan that can be agreed on, in days.
  public static let maxDays = 366

  public init(day: CivilDate, zone: String, reminderAt: Instant, endsAt: Instant) {
    self.day = day
    self.zone = zone
    self.reminderAt = reminderAt
    self.endsAt = endsAt
  }

  /// Whether a loan that begins today may be due on a day.
  public static func isAllowed(_ day: CivilDate, today: CivilDate) -> Bool {
    (1...maxDays).contains(day.daysSince1970 - today.daysSince1970)
  }

  /// Whether a text has the form of a time zone's name: `Europe/Berlin`, `Etc/GMT+5`, `UTC` ([C-8]).
  ///
  /// The database decides which zones exist, but it also accepts abbreviations, which are ambiguous in summer, names in any case, and POSIX
  /// zones, which are any word followed by a number.
  public static func mayBeZone(_ name: String) -> Bool {
    if name.hasPrefix(fixedZone), isOffset(name.dropFirst(fixedZone.count)) { return true }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name == "UTC"
      || (name.utf8.count <= maxZoneLength && (2...3).contains(parts.count) && parts.allSatisfy { isPlace($0) })
  }

  /// The prefix of zones with a fixed offset from UTC.
  private static let fixedZone = "Etc/GMT"
  /// The most bytes of a zone's name.
  private static let maxZoneLength = 64

  private static func isOffset(_ text: Substring) -> Bool {
    guard let hours = Int(text), (-14...12).contains(hours) else { return false }
    return text == (hours > 0 ? "+\(hours)" : "\(hours)")
  }

  /// Whether it has only letters, `_` and `-`, and begins with a capital.
  private static func isPlace(_ part: Substring.UTF8View) -> Bool {
    let (capitals, small) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"))
    guard let first = part.first, capitals.contains(first) else { return false }
    return part.allSatisfy { capitals.contains($0) || small.contains($0) || "_-".utf8.contains($0) }
  }
}
