/// Encodes header text that is not plain ASCII (RFC 2047).
enum EncodedWord {
  /// `text` in the form that can follow `Subject: `. Control characters become spaces.
  static func header(_ text: String) -> String {
    let line = String(text.map { $0.isNewline || $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } == true ? " " : $0 })
    let isPlain = line.utf8.count <= maxPlain && line.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    // Plain text that looks like an encoded word must be encoded, otherwise the reader would decode it.
    return isPlain && !line.contains("=?") ? line : words(line).joined(separator: "\r\n ")
  }

  /// The longest plain text; with `Subject: ` before it the line stays below 78 characters.
  private static let maxPlain = 68
  /// `Subject: =?utf-8?B?` + 56 + `?=` keeps the first line within the 78 characters of RFC 5322, and every encoded
  /// word within its 75.
  private static let bytesPerWord = 42

  /// Encoded words, each of whole characters, as RFC 2047 requires.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let encoded = Array(String(scalar).utf8)
      if bytes.count + encoded.count > bytesPerWord {
        words.append("=?utf-8?B?\(base64(bytes))?=")
        bytes = []
      }
      bytes += encoded
    }
    return words + ["=?utf-8?B?\(base64(bytes))?="]
  }

  /// Base64 of RFC 4648, section 4, with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The quoted-printable encoding of RFC 2045, section 6.7.
enum QuotedPrintable {
  private static let maxLineLength = 76
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// `line`, without its line break, as one or more lines joined by soft line breaks.
  static func lines(_ line: Substring) -> [String] {
    let bytes = Array(line.utf8)
    var lines: [String] = []
    var current: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let encoded = encode(byte, isLast: index == bytes.count - 1)
      // One character is reserved for the `=` of a soft line break.
      if current.count + encoded.count > maxLineLength - 1 {
        lines.append(String(decoding: current + [UInt8(ascii: "=")], as: UTF8.self))
        current = []
      }
      current += encoded
    }
    return lines + [String(decoding: current, as: UTF8.self)]
  }

  private static func encode(_ byte: UInt8, isLast: Bool) -> [UInt8] {
    let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    if isSpace && !isLast || (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") { return [byte] }
    return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }
}
