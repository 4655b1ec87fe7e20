extension [UInt8] {
  package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func appendFixed32(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  package mutating func appendFixed64(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Keeps a place for the length of what is appended until ``endDelimited(_:)``: nearly always it is one byte.
  package mutating func beginDelimited() -> Int {
    append(0)
    return count
  }

  /// Writes the length, a varint, before what was appended since `start`.
  package mutating func endDelimited(_ start: Int) {
    let length = count - start
    guard length >= 0x80 else {
      self[start - 1] = UInt8(length)
      return
    }
    var prefix: [UInt8] = []
    prefix.appendVarint(UInt64(length))
    replaceSubrange((start - 1)..<start, with: prefix)
  }

  package mutating func append(decimal value: UInt64) {
    guard value >= 10 else { return append(0x30 + UInt8(value)) }
    var digits: (UInt64, Int) = (value, 0)
    let start = count
    while digits.0 > 0 {
      append(0x30 + UInt8(digits.0 % 10))
      digits = (digits.0 / 10, digits.1 + 1)
    }
    self[start...].reverse()
  }

  package mutating func append(decimal value: Int64) {
    if value < 0 { append(0x2D) }
    append(decimal: value.magnitude)
  }

  /// Decimal digits, with zeros in front up to `width`.
  package mutating func append(_ value: Int, width: Int) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    var rest = value
    while divisor > 0 {
      append(0x30 + UInt8(rest / divisor % 10))
      rest %= divisor
      divisor /= 10
    }
  }
}

/// Checks UTF-8 as Unicode's table 3-7 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
package func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var at = 0
  let end = bytes.count
  while at < end {
    let lead = bytes[at]
    if lead < 0x80 {
      at += 1
      continue
    }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return false
    }
    guard at + length <= end, second.contains(bytes[at + 1]) else { return false }
    for index in 2..<max(length, 2) where bytes[at + index] & 0xC0 != 0x80 { return false }
    at += length
  }
  return true
}

/// Base64 of protobuf's JSON mapping: written in the standard alphabet with padding, read in both, with or without.
package enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (index, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(index) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()

  package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8], padded: Bool = true) {
    var at = 0
    while at + 2 < bytes.count {
      let group = UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
      for shift in [UInt32(18), 12, 6, 0] { out.append(alphabet[Int(group >> shift & 63)]) }
      at += 3
    }
    let rest = bytes.count - at
    guard rest > 0 else { return }
    let group = UInt32(bytes[at]) << 16 | (rest == 2 ? UInt32(bytes[at + 1]) << 8 : 0)
    out.append(alphabet[Int(group >> 18 & 63)])
    out.append(alphabet[Int(group >> 12 & 63)])
    if rest == 2 { out.append(alphabet[Int(group >> 6 & 63)]) }
    if padded { out.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - rest)) }
  }

  /// Whole, with padding.
  package static func text(of bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    bytes.withUnsafeBufferPointer { append($0, to: &out) }
    return out
  }

  /// Returns false for a text that is not base64.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) -> Bool {
    var end = text.count
    if end > 0, text[end - 1] == UInt8(ascii: "=") {
      guard end % 4 == 0 else { return false }
      end -= text[end - 2] == UInt8(ascii: "=") ? 2 : 1
    }
    guard end % 4 != 1 else { return false }
    var group: UInt32 = 0
    var count = 0
    for index in 0..<end {
      let value = values[Int(text[index])]
      guard value != 0xFF else { return false }
      group = group << 6 | UInt32(value)
      count += 1
      guard count == 4 else { continue }
      out.append(UInt8(truncatingIfNeeded: group >> 16))
      out.append(UInt8(truncatingIfNeeded: group >> 8))
      out.append(UInt8(truncatingIfNeeded: group))
      (group, count) = (0, 0)
    }
    if count == 3 {
      out.append(UInt8(truncatingIfNeeded: group >> 10))
      out.append(UInt8(truncatingIfNeeded: group >> 2))
    } else if count == 2 {
      out.append(UInt8(truncatingIfNeeded: group >> 4))
    }
    return true
  }
}

/// Appends a JSON string of valid UTF-8, with its quotes.
package func appendJSONString(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
  out.append(UInt8(ascii: "\""))
  var start = 0
  for (at, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
    out.append(contentsOf: bytes[start..<at])
    start = at + 1
    out.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: out.append(byte)
    case 0x08: out.append(UInt8(ascii: "b"))
    case 0x09: out.append(UInt8(ascii: "t"))
    case 0x0A: out.append(UInt8(ascii: "n"))
    case 0x0C: out.append(UInt8(ascii: "f"))
    case 0x0D: out.append(UInt8(ascii: "r"))
    default:
      out.append(contentsOf: Array("u00".utf8))
      for digit in [byte >> 4, byte & 15] { out.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10) }
    }
  }
  out.append(contentsOf: bytes[start...])
  out.append(UInt8(ascii: "\""))
}
