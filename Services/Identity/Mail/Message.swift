import Identifiers

/// The wire form of a mail: RFC 5322 with `\r\n` line ends, and RFC 2046 for a mail in two forms.
package struct Message: Sendable, Equatable {
  /// Header and body.
  package let bytes: [UInt8]

  /// Composes `mail` as sent by `sender` at `instant`.
  package init(_ mail: Mail, from sender: MailAddress, at instant: Instant) {
    var lines = [
      "Date: \(Self.date(instant))",
      "From: Tandem <\(sender)>",
      "To: <\(mail.to)>",
      "Message-ID: <\(mail.id)@\(sender.domain)>",
      "Subject: \(EncodedWord.header(mail.subject.text))",
      "MIME-Version: 1.0",
      // Prevents automatic replies such as absence notes (RFC 3834).
      "Auto-Submitted: auto-generated",
    ]
    if let link = mail.unsubscription {
      lines.append("List-Unsubscribe: <\(link.url)>")
      if link.isOneClick { lines.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click") }
    }
    lines += Self.content(of: mail)
    bytes = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  private static func content(of mail: Mail) -> [String] {
    let plain = BodyPart(mail.text.text, type: "text/plain")
    guard let html = mail.html else { return plain.lines }
    // No text can contain the boundary: the id is random and not known in advance.
    let boundary = "=_\(mail.id)"
    // The preferred form comes last (RFC 2046, section 5.1.4).
    return ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "--\(boundary)"] + plain.lines
      + ["--\(boundary)"] + BodyPart(html.markup, type: "text/html").lines + ["--\(boundary)--"]
  }

  /// A date of RFC 5322, section 3.3: `Sat, 21 Nov 2026 03:50:06 +0000`.
  package static func date(_ instant: Instant) -> String { "\(dateAndTime(instant)) +0000" }

  /// Date and time in UTC, without saying so: `Sat, 21 Nov 2026 03:50:06`.
  package static func dateAndTime(_ instant: Instant) -> String {
    let seconds = instant.wholeSeconds
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = Int(seconds - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    // 1970-01-01 was a Thursday.
    let weekday = weekdays[Int(((days + 4) % 7 + 7) % 7)]
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(weekday), \(date.day) \(months[date.month - 1]) \(date.year) \(clock.joined(separator: ":"))"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// One form of a mail's text, with its own header.
///
/// Short ASCII lines are kept unchanged, so that they are readable in the file; everything else is encoded as
/// quoted-printable.
private struct BodyPart {
  let lines: [String]

  /// RFC 5322 allows 998 characters a line. Lines over the recommended 78 are accepted in practice, and a link must not
  /// be split.
  private static let maxLineLength = 998

  init(_ text: String, type: String) {
    let isPlain = Self.isPlain(text)
    var lines = [
      "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: \(isPlain ? "7bit" : "quoted-printable")", "",
    ]
    let body = text.hasSuffix("\n") ? String(text.dropLast()) : text
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += isPlain ? [String(line)] : QuotedPrintable.lines(line)
    }
    self.lines = lines
  }

  private static func isPlain(_ body: String) -> Bool {
    body.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20...0x7E).contains($0) }
      && body.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count <= maxLineLength }
  }
}
