import Identifiers

/// A mail as it travels: RFC 5322 with `\r\n` at every line's end.
package struct Message: Sendable, Equatable {
  /// The header and the body.
  package let bytes: [UInt8]

  /// Composes `mail` as sent by `sender` at `instant`.
  ///
  /// A body of short ASCII lines is left as it is, so that a person (or a test) can read it in the file; any other
  /// goes as quoted-printable.
  package init(_ mail: Mail, from sender: MailAddress, at instant: Instant) {
    let isPlain = Self.isPlain(mail.body)
    var lines = [
      "Date: \(Self.date(instant))",
      "From: Tandem <\(sender)>",
      "To: <\(mail.to)>",
      "Message-ID: <\(mail.id)@\(sender.domain)>",
      "Subject: \(EncodedWord.header(mail.subject))",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: \(isPlain ? "7bit" : "quoted-printable")",
      // Keeps absence notes and the like from answering (RFC 3834).
      "Auto-Submitted: auto-generated",
      "",
    ]
    let body = mail.body.hasSuffix("\n") ? String(mail.body.dropLast()) : mail.body
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += isPlain ? [String(line)] : QuotedPrintable.lines(line)
    }
    bytes = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// RFC 5322 allows 998 characters a line; beyond 78 nothing breaks, and a link must stay whole.
  private static let longestLine = 998

  private static func isPlain(_ body: String) -> Bool {
    body.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20...0x7E).contains($0) }
      && body.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count <= longestLine }
  }

  /// RFC 5322, section 3.3: `Sat, 21 Nov 2026 03:50:06 +0000`.
  static func date(_ instant: Instant) -> String {
    let seconds = instant.wholeSeconds
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = Int(seconds - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    // 1970-01-01 was a Thursday.
    let weekday = weekdays[Int(((days + 4) % 7 + 7) % 7)]
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(weekday), \(date.day) \(months[date.month - 1]) \(date.year) \(clock.joined(separator: ":")) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
