/// Names and values as `application/x-www-form-urlencoded`: the body of a form, or a URL's query.
public struct FormFields: Sendable {
  private var fields: [(name: String, value: String)]

  public init(_ fields: KeyValuePairs<String, String>) { self.fields = fields.map { ($0.key, $0.value) } }

  /// Adds a field at the end.
  public mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

  /// `name=value&…`, with everything but the unreserved characters of RFC 3986 escaped, which form and URL decoders
  /// read alike.
  public var encoded: String {
    fields.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
  }

  /// `text` with every byte that is no letter, digit, `-`, `.`, `_` or `~` as `%XX`.
  public static func escaped(_ text: String) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: escaped.append(byte)
      default: escaped += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
