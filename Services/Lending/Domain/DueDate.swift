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

  /// Whether a text may be the name of a zone. The database knows which there are; it takes abbreviations and rules too, of which nobody knows
  /// what they mean in summer.
  public static func mayBeZone(_ name: String) -> Bool {
    name == "UTC"
      || (name.contains("/") && name.utf8.count <= 64
        && name.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "/"):
            true
          default: false
          }
        })
  }
}
