import Identifiers

/// Until when a book is lent ([LE-12]): a day in the days of a zone.
public struct DueDate: Sendable, Hashable {
  /// The last day.
  public let day: CivilDate
  /// An IANA name.
  public let zone: String
  /// When the borrower is reminded: in the morning of the day before.
  public let reminderAt: Instant
  /// When it is over: as the day after begins.
  public let endsAt: Instant

  /// The local hour of the reminder.
  public static let reminderHour = 9
  /// The longest loan that can be agreed, in days.
  public static let longest = 366

  /// Names the parts.
  public init(day: CivilDate, zone: String, reminderAt: Instant, endsAt: Instant) {
    self.day = day
    self.zone = zone
    self.reminderAt = reminderAt
    self.endsAt = endsAt
  }

  /// Whether a book that is lent today may be due on a day.
  public static func isAllowed(_ day: CivilDate, today: CivilDate) -> Bool {
    (1...longest).contains(day.daysSince1970 - today.daysSince1970)
  }

  /// Whether a text may be the name of a zone: `Europe/Berlin`, `Etc/GMT+5`, `UTC` ([C-8]).
  ///
  /// The database knows which there are; but it takes abbreviations too, of which nobody knows what they mean in summer, names in any case, and
  /// what POSIX calls a zone, which is any word with a number behind it.
  public static func mayBeZone(_ name: String) -> Bool {
    if name.hasPrefix(fixedZone), isOffset(name.dropFirst(fixedZone.count)) { return true }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name == "UTC"
      || (name.utf8.count <= maxZoneLength && (2...3).contains(parts.count) && parts.allSatisfy { isPlace($0) })
  }

  /// Before the hours that a zone without summer time is behind UTC.
  private static let fixedZone = "Etc/GMT"
  /// Bytes of a zone's name.
  private static let maxZoneLength = 64

  private static func isOffset(_ text: Substring) -> Bool {
    guard let hours = Int(text), (-14...12).contains(hours) else { return false }
    return text == (hours > 0 ? "+\(hours)" : "\(hours)")
  }

  /// Whether it is letters, the first of them a capital, `_` and `-`.
  private static func isPlace(_ part: Substring.UTF8View) -> Bool {
    let (capitals, small) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"))
    guard let first = part.first, capitals.contains(first) else { return false }
    return part.allSatisfy { capitals.contains($0) || small.contains($0) || "_-".utf8.contains($0) }
  }
}
