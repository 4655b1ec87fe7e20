/// A value in the canonical CBOR form that authenticators write (CTAP 2.1, section 8: shortest integers, definite
/// lengths, sorted keys without duplicates, no tags, at most four levels).
///
/// No library in Debian rejects other forms, and two encodings of one key would compare as different keys.
package enum CBOR: Sendable, Equatable {
  case unsigned(UInt64)
  /// The number -1 - n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([Entry])
  case boolean(Bool)

  /// A key of a map with its value.
  package struct Entry: Sendable, Equatable {
    package let key: CBOR
    package let value: CBOR
  }

  /// The integer, positive or negative; `nil` for other values and numbers beyond `Int`.
  package var number: Int? {
    switch self {
    case .unsigned(let number): Int(exactly: number)
    case .negative(let number): Int(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  /// The bytes; `nil` for other values.
  package var byteString: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  /// The value of a map's key; `nil` if there is none, or for other values.
  package subscript(key: CBOR) -> CBOR? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

extension CBOR {
  /// The bytes are not one value in canonical form.
  package struct Malformed: Error, Equatable {}

  /// Parses a value that must not be followed by anything.
  package init(whole bytes: [UInt8]) throws(Malformed) {
    var reader = CBORReader(rest: bytes[...])
    self = try reader.value()
    guard reader.rest.isEmpty else { throw Malformed() }
  }

  /// Parses the value at the beginning of `bytes` and removes it from them.
  package init(taking bytes: inout ArraySlice<UInt8>) throws(Malformed) {
    var reader = CBORReader(rest: bytes)
    self = try reader.value()
    bytes = reader.rest
  }
}

/// Parses values from the front of some bytes. Memory and time are bounded by the number of bytes: a length is accepted
/// only if that many bytes follow.
private struct CBORReader {
  var rest: ArraySlice<UInt8>
  private var depth = 0

  private static let deepest = 4

  init(rest: ArraySlice<UInt8>) {
    self.rest = rest
  }

  mutating func value() throws(CBOR.Malformed) -> CBOR {
    let (kind, argument) = try head()
    switch kind {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(Array(try take(argument)))
    case 3:
      guard let text = String(validating: try take(argument), as: UTF8.self) else { throw CBOR.Malformed() }
      return .text(text)
    case 4: return .array(try nested { reader throws(CBOR.Malformed) in try reader.items(argument) })
    case 5: return .map(try nested { reader throws(CBOR.Malformed) in try reader.entries(argument) })
    case 7 where argument == 20 || argument == 21: return .boolean(argument == 21)
    default: throw CBOR.Malformed()
    }
  }

  /// The major type of the next value and its argument, which must be in the shortest form.
  private mutating func head() throws(CBOR.Malformed) -> (kind: UInt8, argument: UInt64) {
    guard let first = rest.popFirst() else { throw CBOR.Malformed() }
    let (kind, short) = (first >> 5, first & 0x1F)
    guard short >= 24 else { return (kind, UInt64(short)) }
    // Of major type 7 only the short booleans are accepted; longer arguments would allow a second encoding of a value.
    guard short <= 27, kind != 7 else { throw CBOR.Malformed() }
    let length = 1 << Int(short - 24)
    let argument = try take(UInt64(length)).reduce(0) { $0 << 8 | UInt64($1) }
    let smallest: UInt64 = length == 1 ? 24 : 1 << UInt64(length * 4)
    guard argument >= smallest else { throw CBOR.Malformed() }
    return (kind, argument)
  }

  private mutating func take(_ count: UInt64) throws(CBOR.Malformed) -> ArraySlice<UInt8> {
    guard count <= UInt64(rest.count) else { throw CBOR.Malformed() }
    let taken = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return taken
  }

  private mutating func nested<Value>(
    _ read: (inout CBORReader) throws(CBOR.Malformed) -> Value
  ) throws(CBOR.Malformed) -> Value {
    guard depth < Self.deepest else { throw CBOR.Malformed() }
    depth += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func items(_ count: UInt64) throws(CBOR.Malformed) -> [CBOR] {
    guard count <= UInt64(rest.count) else { throw CBOR.Malformed() }
    var items: [CBOR] = []
    for _ in 0..<count { items.append(try value()) }
    return items
  }

  private mutating func entries(_ count: UInt64) throws(CBOR.Malformed) -> [CBOR.Entry] {
    guard count <= UInt64(rest.count) else { throw CBOR.Malformed() }
    var (entries, last) = ([CBOR.Entry](), ArraySlice<UInt8>())
    for index in 0..<count {
      let before = rest
      let key = try value()
      let encoded = before.prefix(before.count - rest.count)
      guard index == 0 || Self.comesBefore(last, encoded) else { throw CBOR.Malformed() }
      last = encoded
      entries.append(CBOR.Entry(key: key, value: try value()))
    }
    return entries
  }

  /// The order of keys: integers before texts, shorter before longer, then bytewise. A duplicate key is out of order.
  private static func comesBefore(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    let kinds = ((first.first ?? 0) >> 5, (second.first ?? 0) >> 5)
    guard kinds.0 == kinds.1 else { return kinds.0 < kinds.1 }
    guard first.count == second.count else { return first.count < second.count }
    return first.lexicographicallyPrecedes(second)
  }
}
