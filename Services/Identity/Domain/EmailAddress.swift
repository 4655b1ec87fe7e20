/// An e-mail address that an SMTP envelope can carry as it is ([ID-2]).
///
/// Its grammar is RFC 5321's `Mailbox`, in ASCII: dot-string or quoted-string, then a domain or an address literal. What only
/// RFC 5322 allows (comments, folding, obsolete forms) is refused, because such an address cannot be used unmodified.
public struct EmailAddress: Sendable, CustomStringConvertible {
  /// The maximum length of the whole address in bytes (RFC 3696, erratum 1690: a path's 256 without its brackets).
  public static let maximumLength = 254
  /// The maximum length before the `@` in bytes, quotes included (RFC 5321, section 4.5.3.1.1).
  public static let maximumLocalLength = 64
  /// The error message for an invalid address.
  public static let refusal = "The email address is invalid"

  /// The address as its owner wrote it; mail is sent to this.
  public let spelling: String
  /// The part before the `@`, as written.
  public let localPart: String
  /// The part after the `@`, as written.
  public let domain: String

  /// The address, or `nil` when mail cannot be sent to it. White space around it is not removed.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, let parts = Self.split(text.utf8) else { return nil }
    guard (1...Self.maximumLocalLength).contains(parts.local.count),
      Self.isDotString(parts.local) || Self.isQuotedString(parts.local),
      HostName.isDomain(parts.domain) || AddressLiteral.isValid(parts.domain)
    else { return nil }
    spelling = text
    localPart = String(parts.local) ?? ""
    domain = String(parts.domain) ?? ""
  }

  /// The form in which two addresses are compared: lower case, and without unnecessary quotes.
  ///
  /// RFC 5321 leaves the case of a local part to its host; ignoring it is the decision of [ID-2].
  public var key: String {
    Self.unquoted(localPart).lowercased() + "@" + domain.lowercased()
  }

  public var description: String { spelling }

  /// Splits at the last `@`: an earlier one can only be in a quoted string.
  private static func split(
    _ text: String.UTF8View
  ) -> (local: Substring.UTF8View, domain: Substring.UTF8View)? {
    guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    return (text[..<at], text[text.index(after: at)...])
  }

  private static func isDotString(_ text: Substring.UTF8View) -> Bool {
    text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomCharacter) }
  }

  /// RFC 5322's `atext`.
  private static func isAtomCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isQuotedString(_ text: Substring.UTF8View) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard text.count >= 2, text.first == quote, text.last == quote else { return false }
    var isEscaped = false
    for byte in text.dropFirst().dropLast() {
      guard (0x20...0x7E).contains(byte) else { return false }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == quote {
        return false
      }
    }
    return !isEscaped
  }

  /// `"a.b"` and `a.b` are one mailbox (RFC 5321, section 4.1.2), and so are `"\a"` and `"a"`.
  private static func unquoted(_ local: String) -> String {
    guard local.hasPrefix("\"") else { return local }
    var content = ""
    var isEscaped = false
    for character in local.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        content.append(character)
        isEscaped = false
      }
    }
    if isDotString(content[...].utf8) { return content }
    return "\"" + content.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}

extension EmailAddress: Hashable {
  /// Compares the keys.
  public static func == (first: EmailAddress, second: EmailAddress) -> Bool { first.key == second.key }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
