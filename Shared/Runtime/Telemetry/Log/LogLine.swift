import Logging

/// One log line before its layout; both layouts end in a newline and contain no other.
struct LogLine {
  let time: Timestamp
  let level: Logger.Level
  let service: String
  let label: String
  let message: String
  let metadata: Logger.Metadata

  /// Keys that the layout itself writes; metadata of the same name is prefixed with `metadata.`.
  private static let reserved: Set<String> = ["ts", "level", "service", "label", "message"]

  /// A JSON object: `ts` (RFC 3339 UTC), `level`, `service`, `label`, `message`, then the metadata,
  /// nested dictionaries flattened with dots, every value a string or an array of strings.
  func json() -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(192 + message.utf8.count)
    line.append(text: "{\"ts\":\"")
    time.appendRFC3339(to: &line)
    line.append(text: "\",\"level\":\"")
    line.append(text: level.rawValue)
    line.append(text: "\",\"service\":")
    line.appendJSONString(service)
    line.append(text: ",\"label\":")
    line.appendJSONString(label)
    line.append(text: ",\"message\":")
    line.appendJSONString(message)
    for (key, value) in flattened() {
      line.append(UInt8(ascii: ","))
      line.appendJSONString(Self.reserved.contains(key) ? "metadata.\(key)" : key)
      line.append(UInt8(ascii: ":"))
      line.appendJSON(value)
    }
    line.append(text: "}\n")
    return line
  }

  /// `03:37:29.123 INFO  identity message key=value`, the time in UTC.
  func text(colour: LogOutput.Colour) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(128 + message.utf8.count)
    time.appendTimeOfDay(to: &line)
    line.append(UInt8(ascii: " "))
    let name = level.rawValue.uppercased()
    switch colour {
    case .never: line.append(text: name)
    case .always: line.append(text: "\u{1B}[\(level.terminalColour)m\(name)\u{1B}[0m")
    }
    for _ in 0..<max(1, 9 - name.utf8.count) { line.append(UInt8(ascii: " ")) }
    line.append(text: label == service ? label : "\(service)/\(label)")
    line.append(UInt8(ascii: " "))
    line.appendPrintable(message)
    for (key, value) in flattened() {
      line.append(UInt8(ascii: " "))
      line.appendPrintable(key)
      line.append(UInt8(ascii: "="))
      line.appendPrintable(value.description.quotedIfNeeded)
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private func flattened() -> [(key: String, value: Logger.MetadataValue)] {
    var pairs: [(key: String, value: Logger.MetadataValue)] = []
    func add(_ key: String, _ value: Logger.MetadataValue) {
      guard case .dictionary(let nested) = value else { return pairs.append((key, value)) }
      for (name, inner) in nested { add("\(key).\(name)", inner) }
    }
    for (key, value) in metadata { add(key, value) }
    return pairs.sorted { $0.key < $1.key }
  }
}

extension Logger.Level {
  /// The SGR parameter that colours the level's name.
  fileprivate var terminalColour: Int {
    switch self {
    case .trace, .debug: 90
    case .info: 32
    case .notice: 36
    case .warning: 33
    case .error, .critical: 31
    }
  }
}

extension String {
  fileprivate var quotedIfNeeded: String {
    let plain =
      !isEmpty && !utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\"") }
    return plain ? self : "\"\(split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
  }
}

extension [UInt8] {
  mutating func append(text: String) { append(contentsOf: text.utf8) }

  fileprivate mutating func appendJSON(_ value: Logger.MetadataValue) {
    guard case .array(let elements) = value else { return appendJSONString(value.description) }
    append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSON(element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends a JSON string literal (RFC 8259, section 7).
  mutating func appendJSONString(_ string: String) {
    append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(text: "\\\"")
      case UInt8(ascii: "\\"): append(text: "\\\\")
      case 0x0A: append(text: "\\n")
      case 0x0D: append(text: "\\r")
      case 0x09: append(text: "\\t")
      case 0..<0x20, 0x7F: appendEscape("\\u00", byte)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends text with control characters escaped, so that nothing logged can forge a line or drive a terminal.
  fileprivate mutating func appendPrintable(_ string: String) {
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x0A: append(text: "\\n")
      case 0x0D: append(text: "\\r")
      case 0x09: append(text: "\\t")
      case 0..<0x20, 0x7F..<0xA0: appendEscape("\\x", UInt8(scalar.value))
      default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func appendEscape(_ prefix: String, _ byte: UInt8) {
    append(text: prefix)
    append(hexDigit(byte >> 4))
    append(hexDigit(byte & 0xF))
  }
}

/// The lower-case hexadecimal digit of a value below 16.
func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
