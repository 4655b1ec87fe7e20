import TTRPC

/// The parameters of a path or of a form, with their values decoded to bytes.
package struct QueryParameters: Sendable {
  private let values: [String: [UInt8]]

  /// - Throws: for a parameter that is given twice and for a broken escape.
  package init(_ path: String) throws(Status) {
    guard let mark = path.firstIndex(of: "?") else {
      values = [:]
      return
    }
    values = try Self.pairs(path[path.index(after: mark)...])
  }

  /// - Parameter form: pairs as `application/x-www-form-urlencoded` has them.
  /// - Throws: as for a path.
  package init(form: Substring) throws(Status) { values = try Self.pairs(form) }

  private static func pairs(_ text: Substring) throws(Status) -> [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: try decoded(parts[0]), as: UTF8.self)
      guard values[name] == nil else { throw Status(.invalidArgument, "The parameter \(name) is given twice") }
      values[name] = try decoded(parts.count > 1 ? parts[1] : "")
    }
    return values
  }

  /// All of them as texts, in the order of their names; what is not UTF-8 is replaced.
  package var texts: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
  }

  package subscript(name: String) -> [UInt8]? { values[name] }

  /// The value as text; `nil` where there is none, or where it is not UTF-8.
  package func text(_ name: String) -> String? { values[name].flatMap { String(validating: $0, as: UTF8.self) } }

  private static func decoded(_ text: Substring) throws(Status) -> [UInt8] {
    var out: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): out.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else {
          throw Status(.invalidArgument, "A parameter has a broken escape")
        }
        out.append(high << 4 | low)
      default: out.append(byte)
      }
    }
    return out
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
