import Identifiers

/// A mail to one user, in plain text and optionally also in HTML.
package struct Mail: Sendable, Equatable {
  /// The base of the `Message-ID`, which is the same for every attempt, and of the file name in a folder.
  package let id: UUID7
  package let to: MailAddress
  package let subject: MailSubject
  package let text: MailText
  /// The HTML form of the text; `nil` for a mail in plain text only.
  package let html: HTML?
  /// The link to unsubscribe from this kind of mail; `nil` for mail that users cannot unsubscribe from.
  package let unsubscription: UnsubscribeLink?

  /// The maximum size of the markup in bytes; a mail with more is sent in plain text only. Mail servers accept some
  /// megabytes, mail programs truncate earlier.
  package static let maxHTMLLength = 102_400

  package init(
    id: UUID7, to: MailAddress, subject: MailSubject, text: MailText, html: HTML? = nil,
    unsubscription: UnsubscribeLink? = nil
  ) {
    self.id = id
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html.flatMap { $0.markup.utf8.count <= Self.maxHTMLLength ? $0 : nil }
    self.unsubscription = unsubscription
  }
}

/// An address that is safe in a header and in an SMTP command: printable ASCII, so that no line can be injected.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
  /// `local@domain`, without angle brackets.
  package let text: String

  /// `nil` for anything but 3 to 320 printable ASCII characters with something on both sides of an `@`.
  ///
  /// This does not check the grammar of RFC 5321; it only excludes characters that would break out of a line.
  package init?(_ text: String) {
    guard (3...320).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      let at = text.lastIndex(of: "@"), at != text.startIndex, text.index(after: at) != text.endIndex
    else { return nil }
    self.text = text
  }

  /// The part after the last `@`.
  package var domain: Substring {
    guard let at = text.lastIndex(of: "@") else { return "" }
    return text[text.index(after: at)...]
  }

  package var description: String { text }
}

/// A subject of one line and at most 200 characters.
package struct MailSubject: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Without control characters and line breaks.
  package let text: String

  private static let maxLength = 200

  /// Accepts any text: control characters and line breaks become spaces, and the rest beyond 200 characters is cut.
  package init(_ text: String) {
    let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maxLength)))
    let line = String(cut.map { Self.isControl($0) ? " " : $0 })
    self.text = text.unicodeScalars.count > Self.maxLength ? line + "…" : line
  }

  package init(stringLiteral text: String) { self.init(text) }

  private static func isControl(_ character: Character) -> Bool {
    character.isNewline || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// The text of a mail, at most 100 KiB.
package struct MailText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Lines end with `\n`.
  package let text: String

  private static let maxLength = 102_400

  /// Accepts any text; one that is too long is cut between two characters.
  package init(_ text: String) {
    guard text.utf8.count > Self.maxLength else {
      self.text = text
      return
    }
    var cut = text.utf8.index(text.startIndex, offsetBy: Self.maxLength)
    while cut.samePosition(in: text.unicodeScalars) == nil { cut = text.utf8.index(before: cut) }
    self.text = String(text[..<cut])
  }

  package init(stringLiteral text: String) { self.init(text) }
}

/// A link that is safe in a header between angle brackets.
package struct UnsubscribeLink: Sendable, Hashable {
  /// `http://` or `https://` and printable ASCII.
  package let url: String

  /// `nil` for another scheme, for more than 900 characters, and for characters that would end the link or its line.
  package init?(_ url: String) {
    let isPlain = url.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: ",")
    }
    guard isPlain, url.utf8.count <= 900, url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
    self.url = url
  }

  /// Whether mail programs may use the link automatically by a POST (RFC 8058): over TLS only.
  var isOneClick: Bool { url.hasPrefix("https://") }
}
