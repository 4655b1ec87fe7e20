import Live
import Logging
import Telemetry

/// The type of a setting's value: the one place where such a value is parsed.
public struct SettingKind<Value: Sendable>: Sendable {
  /// The type's name in listings, e.g. `duration`.
  public let name: String
  /// Completes the sentence "… is not", e.g. `a duration such as 500ms, 10s or 2m`.
  public let expected: String
  /// Parses a value; nil when the text is invalid.
  public let parse: @Sendable (String) -> Value?

  public init(_ name: String, expected: String, parse: @escaping @Sendable (String) -> Value?) {
    self.name = name
    self.expected = expected
    self.parse = parse
  }
}

extension SettingKind where Value == String {
  /// Any text that is not empty.
  public static let text = SettingKind("text", expected: "a text that is not empty") { $0.isEmpty ? nil : $0 }

  /// The path of a file or folder.
  public static let path = SettingKind("path", expected: "a path") { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }

  /// A PostgreSQL connection URI as libpq reads it, several hosts included.
  public static let databaseURL = SettingKind(
    "URL", expected: "a PostgreSQL URL such as postgresql://user@localhost:5432/tandem"
  ) { text in
    ["postgres://", "postgresql://"].contains { text.hasPrefix($0) } ? text : nil
  }
}

extension SettingKind where Value == [NATSServer] {
  /// A list of NATS servers, of which the bus uses one that answers.
  public static let natsServers = SettingKind(
    "URLs", expected: "NATS servers such as nats://user:password@localhost:4222 or tls://bus:4222, separated by commas",
    parse: NATSServer.list)
}

extension SettingKind where Value == Bool {
  /// `true` or `false`; on the command line the bare option means `true`.
  public static let flag = SettingKind("flag", expected: "true or false") { text in
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }
}

extension SettingKind where Value == Int {
  /// A whole number within `range`.
  public static func number(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind("number", expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension SettingKind where Value == Double {
  /// A share of a whole.
  public static let ratio = SettingKind("ratio", expected: "a number from 0 to 1") { text in
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }
}

extension SettingKind where Value == CollectorAddress {
  /// An OTLP/HTTP collector.
  public static let collector = SettingKind(
    "URL", expected: "a URL such as http://localhost:4318", parse: CollectorAddress.init)
}

extension SettingKind where Value == [HTTPHeader] {
  /// Headers as in OpenTelemetry's variables, their values percent-encoded where necessary.
  public static let headers = SettingKind("headers", expected: "a list such as name=value,other=value") { text in
    let headers = text.split(separator: ",").map { pair -> HTTPHeader? in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      guard parts.count == 2, let value = percentDecoded(parts[1]),
        (parts[0] + value).utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else { return nil }
      return HTTPHeader(name: parts[0], value: value)
    }
    return headers.contains(nil) ? nil : headers.compactMap(\.self)
  }
}

/// The text with each `%` and its two hexadecimal digits replaced by the byte that they stand for; `nil` when that is
/// not UTF-8.
private func percentDecoded(_ text: String) -> String? {
  var bytes: [UInt8] = []
  var rest = text.utf8[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let decoded = UInt8(Substring(rest.prefix(2)), radix: 16), rest.count >= 2 else { return nil }
    bytes.append(decoded)
    rest = rest.dropFirst(2)
  }
  return String(validating: bytes, as: UTF8.self)
}

/// One header of an HTTP request.
public struct HTTPHeader: Sendable, Equatable {
  let name: String
  let value: String
}

extension SettingKind where Value == Duration {
  /// A duration above zero: a limit of zero would refuse everything.
  public static let positiveDuration = SettingKind(
    "duration", expected: "a duration above zero such as 500ms, 10s, 2m or 24h"
  ) {
    text in duration.parse(text).flatMap { $0 > .zero ? $0 : nil }
  }

  /// A length of time with its unit: `ms`, `s`, `m`, `h` or `d`; never negative.
  public static let duration = SettingKind("duration", expected: "a duration such as 500ms, 10s, 2m or 24h") { text in
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    // A thousand years is beyond any use and keeps every later sum in range.
    guard let count = Int64(digits), count <= 365_000 else { return nil }
    switch text.dropFirst(digits.count) {
    case "ms": return .milliseconds(count)
    case "s": return .seconds(count)
    case "m": return .seconds(count * 60)
    case "h": return .seconds(count * 3600)
    case "d": return .seconds(count * 86_400)
    default: return nil
    }
  }
}

extension Duration {
  /// The text of a setting: in the largest unit without a remainder, at least in whole milliseconds.
  var settingText: String {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    let units: [(name: String, milliseconds: Int64)] = [
      ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]
    guard let unit = units.first(where: { milliseconds > 0 && milliseconds % $0.milliseconds == 0 }) else {
      return "\(milliseconds)ms"
    }
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases, by its raw value.
  public static var choice: SettingKind {
    let names = Value.allCases.map(\.rawValue)
    let listed = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
    return SettingKind(names.joined(separator: "|"), expected: listed) { Value(rawValue: $0) }
  }
}

extension SettingKind where Value == HostPort {
  /// An address to listen on.
  public static let address = SettingKind(
    "host:port", expected: "a host and a port such as 127.0.0.1:7401, [::1]:7401 or 0.0.0.0:0", parse: HostPort.init)
}

/// A host and a TCP port; port 0 lets the system choose.
public struct HostPort: Sendable, Hashable, CustomStringConvertible {
  /// A name or an address, without brackets.
  public let host: String
  /// 0 to 65535.
  public let port: Int

  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Parses `host:port`, an IPv6 address in brackets; nil for anything else.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = Int(digits), port <= 65535
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("[") && host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
    self.init(host: String(host), port: port)
  }

  /// `host:port`, an IPv6 address in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
