/// A value in the canonical form of CBOR that authenticators write (CTAP 2.1, section 8: the shortest numbers, definite lengths, keys in
/// order and each once, no tags, at most four levels).
///
/// No library that Debian has refuses what is not in that form, and a key that can be written in two ways is two keys to one who compares.
package enum CBOR: Sendable, Equatable {
  case unsigned(UInt64)
  /// The number -1 - n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([Entry])
  case boolean(Bool)

  /// A key of a map and what it stands for.
  package struct Entry: Sendable, Equatable {
    package let key: CBOR
    package let value: CBOR
  }

  /// What a whole number of any sign is; `nil` for other values and numbers beyond `Int`.
  package var number: Int? {
    switch self {
    case .unsigned(let number): Int(exactly: number)
    case .negative(let number): Int(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  /// The bytes, if that is what it is.
  package var byteString: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  /// The value that a map has for a key.
  package subscript(key: CBOR) -> CBOR? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

extension CBOR {
  /// The bytes are not one value in canonical form.
  package struct Malformed: Error, Equatable {}

  /// Reads a value that is followed by nothing.
  package init(whole bytes: [UInt8]) throws(Malformed) {
    var reader = CBORReader(rest: bytes[...])
    self = try reader.value()
    guard reader.rest.isEmpty else { throw Malformed() }
  }

  /// Reads the value that begins `bytes`, and leaves what follows it.
  package init(taking bytes: inout ArraySlice<UInt8>) throws(Malformed) {
    var reader = CBORReader(rest: bytes)
    self = try reader.value()
    bytes = reader.rest
  }
}

/// Takes values off the front of some bytes. Memory and time are bounded by their number: a length is believed only where so many follow.
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

  /// The kind of the next value and the number that comes with it, in its shortest form.
  private mutating func head() throws(CBOR.Malformed) -> (kind: UInt8, argument: UInt64) {
    guard let first = rest.popFirst() else { throw CBOR.Malformed() }
    let (kind, short) = (first >> 5, first & 0x1F)
    guard short >= 24 else { return (kind, UInt64(short)) }
    // Of the others of kind 7 none is used, and their two spellings of one value are refused with them.
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

  /// Numbers before texts, the shorter first, then as bytes compare; so no key comes twice.
  private static func comesBefore(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    let kinds = ((first.first ?? 0) >> 5, (second.first ?? 0) >> 5)
    guard kinds.0 == kinds.1 else { return kinds.0 < kinds.1 }
    guard first.count == second.count else { return first.count < second.count }
    return first.lexicographicallyPrecedes(second)
  }
}
