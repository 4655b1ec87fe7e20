import Identifiers

/// Writes an iCalendar object (RFC 5545): lines that end with CR LF and are folded after 75 bytes, with texts escaped.
package struct CalendarText: Sendable {
  /// The object so far.
  package private(set) var text = ""

  /// RFC 5545, section 3.1: without the line break.
  private static let maxLine = 75

  package init() {}

  /// Adds a line whose value needs no escaping.
  package mutating func add(_ name: String, _ value: String) {
    var width = 0
    for character in (name + ":" + value).unicodeScalars {
      let size = UTF8.width(character)
      if width + size > Self.maxLine {
        // The space that marks a continued line counts too.
        text += "\r\n "
        width = 1
      }
      text.unicodeScalars.append(character)
      width += size
    }
    text += "\r\n"
  }

  /// Adds a line whose value is a text (section 3.3.11).
  package mutating func add(_ name: String, text value: String) { add(name, Self.escaped(value)) }

  /// Adds a line whose value is a moment, in UTC (section 3.3.5); parts of a second are cut off.
  package mutating func add(_ name: String, _ moment: Instant) { add(name, Self.form(of: moment)) }

  /// Adds the lines of a component between its first and its last line.
  package mutating func component(_ name: String, _ lines: (inout CalendarText) -> Void) {
    add("BEGIN", name)
    lines(&self)
    add("END", name)
  }

  private static func escaped(_ value: String) -> String {
    var escaped = ""
    // A CR LF is one character of a text, and one line break.
    for character in value {
      switch character {
      case "\\": escaped += "\\\\"
      case ";": escaped += "\\;"
      case ",": escaped += "\\,"
      case "\n", "\r\n", "\r": escaped += "\\n"
      case "\t": escaped += "\t"
      default:
        // Control characters must not occur, and a reader may refuse the whole calendar for one.
        escaped.unicodeScalars += character.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
      }
    }
    return escaped
  }

  /// `20261121T033405Z`.
  private static func form(of moment: Instant) -> String {
    let seconds = moment.description.prefix { $0 != "." && $0 != "Z" }
    return String(seconds.filter { $0 != "-" && $0 != ":" }) + "Z"
  }
}

/// A training session in a user's calendar.
package struct CalendarEntry: Sendable, Hashable {
  package let sessionID: UUID7
  package let startsAt: Instant
  package let endsAt: Instant
  package let changedAt: Instant
  /// How often the entry was changed: calendars replace what has a lower one.
  package let revision: Int32
  /// For example "Training: legs".
  package let title: String
  /// The gym's name; may be empty.
  package let gym: String
  /// Whether a partner has joined.
  package let isMatched: Bool

  package init(
    sessionID: UUID7, startsAt: Instant, endsAt: Instant, changedAt: Instant, revision: Int32, title: String,
    gym: String,
    isMatched: Bool
  ) {
    (self.sessionID, self.startsAt, self.endsAt, self.changedAt) = (sessionID, startsAt, endsAt, changedAt)
    (self.revision, self.title, self.gym, self.isMatched) = (revision, title, gym, isMatched)
  }
}

/// A user's calendar of training sessions, for calendar programs that subscribe to a link.
package enum CalendarFeed {
  /// How often a subscriber should read it again (RFC 7986, section 5.7).
  private static let refresh = "PT15M"

  /// The iCalendar object; all times are in UTC, so that it needs no zones.
  package static func text(of entries: [CalendarEntry], at now: Instant) -> String {
    var calendar = CalendarText()
    calendar.component("VCALENDAR") { lines in
      lines.add("VERSION", "2.0")
      lines.add("PRODID", "-//Tandem//Training sessions//EN")
      lines.add("CALSCALE", "GREGORIAN")
      lines.add("METHOD", "PUBLISH")
      lines.add("NAME", text: "Training sessions")
      lines.add("REFRESH-INTERVAL;VALUE=DURATION", refresh)
      for entry in entries { lines.component("VEVENT") { add(entry, to: &$0, at: now) } }
    }
    return calendar.text
  }

  private static func add(_ entry: CalendarEntry, to lines: inout CalendarText, at now: Instant) {
    lines.add("UID", "\(entry.sessionID)@sessions.tandem")
    lines.add("DTSTAMP", now)
    lines.add("DTSTART", entry.startsAt)
    lines.add("DTEND", entry.endsAt)
    lines.add("LAST-MODIFIED", entry.changedAt)
    lines.add("SEQUENCE", String(entry.revision))
    lines.add("SUMMARY", text: entry.title)
    if !entry.gym.isEmpty { lines.add("LOCATION", text: entry.gym) }
    // A session without a partner may still lapse.
    lines.add("STATUS", entry.isMatched ? "CONFIRMED" : "TENTATIVE")
    lines.add("TRANSP", "OPAQUE")
  }
}
