import TTRPC

/// The parameters of a path, with their values decoded to bytes.
struct QueryParameters {
  private var values: [String: [UInt8]] = [:]

  /// - Throws: for a parameter that is given twice and for a broken escape.
  init(_ path: String) throws(Status) {
    guard let mark = path.firstIndex(of: "?") else { return }
    for pair in path[path.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: try Self.decoded(parts[0]), as: UTF8.self)
      guard values[name] == nil else { throw Status(.invalidArgument, "The parameter \(name) is given twice") }
      values[name] = try Self.decoded(parts.count > 1 ? parts[1] : "")
    }
  }

  subscript(name: String) -> [UInt8]? { values[name] }

  private static func decoded(_ text: Substring) throws(Status) -> [UInt8] {
    var out: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): out.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else {
          throw Status(.invalidArgument, "The query has a broken escape")
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
