import Base64
import FoundationEssentials

/// A signed text in JWS compact form (RFC 7515), limited to what Tandem signs: EdDSA with a key that has an id.
struct JSONWebSignature: Equatable {
  /// Bytes; longer texts are refused without being parsed.
  static let maximumLength = 4_096

  struct Header: Codable, Equatable {
    let alg: String
    var kid: String?
    var typ: String?
    /// Extensions that must be understood. None is supported, so the member's presence is a refusal (RFC 7515, section
    /// 4.1.11).
    var crit: [String]?
  }

  let header: Header
  let payload: [UInt8]
  let signingInput: [UInt8]
  let signature: [UInt8]

  /// Parses the text and checks everything but the signature; `nil` when any part is invalid.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let headerBytes = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), signature.count == 64,
      let header = StrictJSON.decode(Header.self, headerBytes),
      header.alg == "EdDSA", header.crit == nil
    else { return nil }
    self.header = header
    self.payload = payload
    self.signature = signature
    signingInput = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
  }

  static func sign(_ payload: [UInt8], type: String?, with key: SigningKey) throws -> String {
    let header = try StrictJSON.encode(Header(alg: "EdDSA", kid: key.id, typ: type))
    let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
    return input + "." + Base64URL.encode(try key.signature(for: input.utf8))
  }
}

/// JSON objects of a fixed shape, read so that no two readers can disagree on them.
package enum StrictJSON {
  /// The object, or `nil` when it is not one of this shape, or names a member twice.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    // The caller of a token does not learn which fault it was: all are refused alike.
    guard let value = try? JSONDecoder().decode(type, from: Data(bytes)), hasUniqueMembers(bytes) else { return nil }
    return value
  }

  /// The JSON of a value; equal values have equal bytes.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Whether no member name of the outermost object is repeated or escaped, in a text known to be JSON.
  ///
  /// Readers differ in which of two equal members they take (RFC 8259, section 4), so neither may be taken.
  static func hasUniqueMembers(_ json: [UInt8]) -> Bool {
    var names: Set<ArraySlice<UInt8>> = []
    var (depth, index) = (0, 0)
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let start = index + 1
        index = endOfString(json, from: start)
        let isName = json[(index + 1)...].first { !isSpace($0) } == UInt8(ascii: ":")
        if depth == 1, isName {
          let name = json[start..<index]
          guard !name.contains(UInt8(ascii: "\\")), names.insert(name).inserted else { return false }
        }
      default: break
      }
      index += 1
    }
    return true
  }

  private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
    var index = start
    while index < json.count - 1, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, json.count - 1)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
