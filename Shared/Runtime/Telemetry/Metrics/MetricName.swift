/// Converts swift-metrics' labels and dimensions to names and labels that Prometheus accepts.
enum MetricName {
  /// A metric name of `[a-zA-Z_:][a-zA-Z0-9_:]*`; every other character becomes an underscore.
  static func sanitized(_ label: String, suffix: String = "") -> String {
    let name = identifier(label, allowing: UInt8(ascii: ":"))
    return name.hasSuffix(suffix) ? name : name + suffix
  }

  /// Labels sorted by name; of a repeated name the last value wins, and `le` of a histogram, which the format
  /// needs for itself, is renamed.
  static func labels(_ dimensions: [(String, String)], kind: FamilyKind) -> [(String, String)] {
    var labels: [String: String] = [:]
    for (name, value) in dimensions {
      let clean = identifier(name, allowing: nil)
      labels[kind == .histogram && clean == "le" ? "exported_le" : clean] = value
    }
    return labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// `a="b",c="d"` with the values escaped.
  static func text(_ labels: [(String, String)]) -> String {
    labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
  }

  private static func escaped(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") || $0 == 0x0A }) else {
      return value
    }
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func identifier(_ text: String, allowing extra: UInt8?) -> String {
    var bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        byte
      default: byte == extra ? byte : UInt8(ascii: "_")
      }
    }
    if let first = bytes.first, first < UInt8(ascii: "0") || first > UInt8(ascii: "9") {
      return String(decoding: bytes, as: UTF8.self)
    }
    bytes.insert(UInt8(ascii: "_"), at: 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}
