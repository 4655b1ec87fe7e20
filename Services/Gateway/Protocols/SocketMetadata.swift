import HTTPTypes
import TTRPC

/// The first message of a WebSocket, for what a browser cannot put into its head: a JSON object of texts, such as
/// `{"authorization":"Bearer …","connect-timeout-ms":"5000"}`. Members that are not known are discarded.
enum SocketMetadata {
  private static let known: [HTTPField.Name] = [
    .authorization, .connectTimeout, .prefer, .requestID, .traceParent, .traceState,
  ]

  static func fields(_ message: [UInt8]) throws(Status) -> HTTPFields {
    var fields = HTTPFields()
    var text = TextObject(message)
    for (name, value) in try text.members() {
      guard let name = HTTPField.Name(name), known.contains(name) else { continue }
      guard fields[name] == nil, HTTPField.isValidValue(value) else {
        throw Status(.invalidArgument, "The metadata has no usable \(name.canonicalName)")
      }
      fields[name] = value
    }
    return fields
  }
}

/// A JSON object whose members are texts.
private struct TextObject {
  private let text: [UInt8]
  private var at = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func members() throws(Status) -> [(String, String)] {
    var members: [(String, String)] = []
    guard take("{") else { throw malformed }
    if !take("}") {
      repeat {
        let name = try string()
        guard take(":") else { throw malformed }
        members.append((name, try string()))
      } while take(",")
      guard take("}") else { throw malformed }
    }
    skipSpace()
    guard at == text.count else { throw malformed }
    return members
  }

  private var malformed: Status {
    Status(.invalidArgument, "The metadata, the first message, must be a JSON object whose members are texts")
  }

  private mutating func skipSpace() {
    while at < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[at]) { at += 1 }
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: mark) else { return false }
    at += 1
    return true
  }

  private mutating func string() throws(Status) -> String {
    guard take("\"") else { throw malformed }
    var out: [UInt8] = []
    while at < text.count {
      let byte = text[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: out, as: UTF8.self) else { throw malformed }
        return string
      case UInt8(ascii: "\\"): out += try escaped()
      case 0..<0x20: throw malformed
      default: out.append(byte)
      }
    }
    throw malformed
  }

  private mutating func escaped() throws(Status) -> [UInt8] {
    guard at < text.count else { throw malformed }
    let byte = text[at]
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      // What stands in a field has no character beyond the first plane.
      guard at + 4 <= text.count, let digits = String(validating: text[at..<(at + 4)], as: UTF8.self),
        digits.allSatisfy(\.isHexDigit), let value = UInt16(digits, radix: 16), let scalar = Unicode.Scalar(value)
      else { throw malformed }
      at += 4
      return Array(String(Character(scalar)).utf8)
    default: throw malformed
    }
  }
}
