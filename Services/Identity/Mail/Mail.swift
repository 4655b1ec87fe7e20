import Identifiers

/// One mail to one person, in plain text.
package struct Mail: Sendable, Equatable {
  /// Makes the `Message-ID`, and the file's name where mail goes to a folder.
  package let id: UUID7
  package let to: MailAddress
  /// Any text: line ends and other controls in it become spaces, the rest is encoded.
  package let subject: String
  /// Lines end with `\n`.
  package let body: String

  package init(id: UUID7, to: MailAddress, subject: String, body: String) {
    self.id = id
    self.to = to
    self.subject = subject
    self.body = body
  }
}

/// An address that can stand in a header and in an SMTP command: printable ASCII, so no line can be smuggled in behind it.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
  /// `local@domain`, without angle brackets.
  package let text: String

  /// `nil` for anything but 3 to 320 printable ASCII characters with something on both sides of an `@`.
  ///
  /// Whether it is an address by RFC 5321 is decided elsewhere; this only keeps what would break out of its line.
  package init?(_ text: String) {
    guard (3...320).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      let at = text.lastIndex(of: "@"), at != text.startIndex, text.index(after: at) != text.endIndex
    else { return nil }
    self.text = text
  }

  /// What stands behind the last `@`.
  package var domain: Substring {
    guard let at = text.lastIndex(of: "@") else { return "" }
    return text[text.index(after: at)...]
  }

  package var description: String { text }
}
