import GatewayText
import WorkerPool

/// What happens to members of an object that the message does not have.
public enum UnknownMembers: Sendable {
  /// They are left out, and so are names of enum values that the enum does not have.
  case discarded
  /// They are refused.
  case refused
}

extension Contract {
  /// Turns the JSON of a message into its protobuf, in one pass.
  ///
  /// By protobuf's JSON mapping, and as strict as its own readers: well-formed UTF-8, no key twice, no two members of
  /// a oneof, numbers in range.
  public func protobuf(
    fromJSON text: UnsafeBufferPointer<UInt8>, _ message: MessageReference, unknown: UnknownMembers = .discarded,
    in turn: borrowing BoundedTurn
  ) throws(TranscodingError) -> [UInt8] {
    precondition(text.count <= turn.maxBytes, "the message is longer than its turn")
    var reading = JSONMessageReader(self, text, unknown)
    reading.out.reserveCapacity(text.count / 2 + 16)
    try reading.message(message.index, depth: 1)
    try reading.json.expectEnd()
    return reading.out
  }
}

/// Reads JSON and writes protobuf as it goes.
private struct JSONMessageReader {
  private let contract: Contract
  var json: JSONReader
  private let unknown: UnknownMembers
  var out: [UInt8] = []
  /// For strings that are not copied to the output as they are: keys with escapes, numbers in quotes, base64.
  private var scratch: [UInt8] = []

  init(_ contract: Contract, _ text: UnsafeBufferPointer<UInt8>, _ unknown: UnknownMembers) {
    self.contract = contract
    json = JSONReader(text)
    self.unknown = unknown
  }

  mutating func message(_ index: Int, depth: Int) throws(TranscodingError) {
    guard depth <= maxDepth else { throw .tooDeep }
    let table = contract.messages[index]
    if let wellKnown = table.wellKnown { return try self.wellKnown(wellKnown) }
    guard json.take("{") else {
      if json.peek() == 0 { throw json.unexpected("a value is expected") }
      throw TranscodingError("is not an object")
    }
    if json.take("}") { return }
    var (seen, seenOneofs) = (Seen(), Seen())
    repeat {
      guard let place = try key(of: table, depth) else { continue }
      let field = table.fields[place]
      guard seen.insert(place) else { throw TranscodingError("is given twice").inside(field.name) }
      json.skipSpace()
      if json.takeWord("null") { continue }
      if field.oneof >= 0, !seenOneofs.insert(field.oneof) {
        throw TranscodingError("is given beside another member of its choice").inside(field.name)
      }
      do throws(TranscodingError) {
        try value(of: field, depth)
      } catch {
        throw error.inside(field.name)
      }
    } while json.take(",")
    try json.expect("}")
  }

  /// The index of the field of the next key; `nil` for an unknown one, whose value was skipped.
  private mutating func key(of table: MessageTable, _ depth: Int) throws(TranscodingError) -> Int? {
    let raw = try json.string()
    var found: Int32?
    if raw.hasEscapes {
      scratch.removeAll(keepingCapacity: true)
      try json.append(raw, to: &scratch)
      found = scratch.withUnsafeBufferPointer { table.byName.value(of: $0) }
    } else {
      guard raw.isASCII || isUTF8(raw.bytes) else { throw .invalidUTF8 }
      found = table.byName.value(of: raw.bytes)
    }
    try json.expect(":")
    if let found { return Int(found) }
    guard unknown == .discarded else {
      throw TranscodingError("is not a field").inside(
        TranscodingError.shown(String(decoding: raw.bytes, as: UTF8.self)))
    }
    try json.skipValue(depth: maxDepth - depth)
    return nil
  }

  private mutating func value(of field: FieldTable, _ depth: Int) throws(TranscodingError) {
    switch field.shape {
    case .singular: try single(field, depth)
    case .repeated(let isPacked): try list(field, isPacked, depth)
    case .map: try map(field, depth)
    }
  }

  private mutating func single(_ field: FieldTable, _ depth: Int) throws(TranscodingError) {
    let start = out.count
    out.append(contentsOf: field.tag)
    let isSet = try element(field, depth)
    if !isSet { out.removeSubrange(start...) }
  }

  private mutating func list(_ field: FieldTable, _ isPacked: Bool, _ depth: Int) throws(TranscodingError) {
    guard json.take("[") else { throw TranscodingError("is not a list") }
    if json.take("]") { return }
    let start = out.count
    var place = 0
    if isPacked {
      out.append(contentsOf: field.tag)
      place = out.beginDelimited()
    }
    var index = 0
    repeat {
      let before = out.count
      do throws(TranscodingError) {
        json.skipSpace()
        if json.takeWord("null") { throw TranscodingError("is null, which no element of a list can be") }
        if !isPacked { out.append(contentsOf: field.tag) }
        let isKnown = try element(field, depth, keepsDefault: true)
        if !isKnown { out.removeSubrange(before...) }
      } catch {
        throw error.inside("[\(index)]")
      }
      index += 1
    } while json.take(",")
    guard json.take("]") else { throw json.unexpected("\"]\" is expected") }
    guard isPacked else { return }
    if out.count == place { out.removeSubrange(start...) } else { out.endDelimited(place) }
  }

  private mutating func map(_ field: FieldTable, _ depth: Int) throws(TranscodingError) {
    guard case .message(let index) = field.kind else { return }
    guard depth < maxDepth else { throw .tooDeep }
    let entry = contract.messages[index]
    guard json.take("{") else { throw TranscodingError("is not an object") }
    if json.take("}") { return }
    var keys: Set<[UInt8]> = []
    repeat {
      let start = out.count
      out.append(contentsOf: field.tag)
      let place = out.beginDelimited()
      let raw = try json.string()
      var key: [UInt8] = []
      try json.append(raw, to: &key)
      let name = "[\(TranscodingError.shown(String(decoding: key, as: UTF8.self)))]"
      var isKnown = false
      do throws(TranscodingError) {
        out.append(contentsOf: entry.fields[0].tag)
        try mapKey(key, entry.fields[0].kind)
        guard keys.insert(key).inserted else { throw TranscodingError("is given twice") }
        try json.expect(":")
        json.skipSpace()
        if json.takeWord("null") { throw TranscodingError("is null, which no value of a map can be") }
        out.append(contentsOf: entry.fields[1].tag)
        isKnown = try element(entry.fields[1], depth + 1, keepsDefault: true)
      } catch {
        throw error.inside(name)
      }
      if isKnown { out.endDelimited(place) } else { out.removeSubrange(start...) }
    } while json.take(",")
    try json.expect("}")
  }

  private mutating func mapKey(_ key: [UInt8], _ kind: FieldTable.Kind) throws(TranscodingError) {
    switch kind {
    case .string:
      let place = out.beginDelimited()
      out.append(contentsOf: key)
      out.endDelimited(place)
    case .bool:
      switch key {
      case Array("true".utf8): out.append(1)
      case Array("false".utf8): out.append(0)
      default: throw TranscodingError("is not true or false")
      }
    default:
      let number = key.withUnsafeBufferPointer { text in
        JSONReader.endOfNumber(in: text, from: 0) == text.count ? wholeNumber(text) : nil
      }
      _ = try integer(number, kind)
    }
  }

  /// Writes one value without its tag. Returns false when it is left out: the default value of a field without
  /// presence, or the unknown name of an enum's value.
  private mutating func element(
    _ field: FieldTable, _ depth: Int, keepsDefault: Bool = false
  ) throws(TranscodingError) -> Bool {
    let keeps = keepsDefault || field.hasPresence
    switch field.kind {
    case .message(let index):
      let place = out.beginDelimited()
      try message(index, depth: depth + 1)
      out.endDelimited(place)
      return true
    case .string:
      guard json.peek() == UInt8(ascii: "\"") else { throw TranscodingError("is not a string") }
      let raw = try json.string()
      let place = out.beginDelimited()
      try json.append(raw, to: &out)
      let isEmpty = out.count == place
      out.endDelimited(place)
      return keeps || !isEmpty
    case .bytes: return try bytes() || keeps
    case .bool:
      json.skipSpace()
      if json.takeWord("true") {
        out.append(1)
        return true
      }
      guard json.takeWord("false") else { throw TranscodingError("is not true or false") }
      out.append(0)
      return keeps
    case .enumeration(let index): return try enumeration(index, keeps)
    case .double:
      let value = try floating(Double.self)
      out.appendFixed64(value.bitPattern)
      return keeps || value.bitPattern != 0
    case .float:
      let value = try floating(Float.self)
      out.appendFixed32(value.bitPattern)
      return keeps || value.bitPattern != 0
    default:
      return try integer(try quotableNumber { wholeNumber($0) }, field.kind) || keeps
    }
  }

  /// Reads a number or a string with one, and passes its text on.
  private mutating func quotableNumber<Value>(
    _ read: (UnsafeBufferPointer<UInt8>) -> Value?
  ) throws(TranscodingError) -> Value? {
    guard json.peek() == UInt8(ascii: "\"") else {
      let first = json.peek()
      guard first == 0x2D || (0x30...0x39).contains(first) else { throw TranscodingError("is not a number") }
      return read(try json.number())
    }
    let raw = try json.string()
    if !raw.hasEscapes {
      return JSONReader.endOfNumber(in: raw.bytes, from: 0) == raw.bytes.count ? read(raw.bytes) : nil
    }
    scratch.removeAll(keepingCapacity: true)
    try json.append(raw, to: &scratch)
    return scratch.withUnsafeBufferPointer { JSONReader.endOfNumber(in: $0, from: 0) == $0.count ? read($0) : nil }
  }

  /// Writes a whole number; returns whether it is not 0.
  private mutating func integer(
    _ number: (isNegative: Bool, magnitude: UInt64)?, _ kind: FieldTable.Kind
  ) throws(TranscodingError) -> Bool {
    guard let number else { throw TranscodingError("is not a whole number of its range") }
    let signed: Int64? =
      number.isNegative
      ? (number.magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- number.magnitude) : nil)
      : Int64(exactly: number.magnitude)
    let unsigned: UInt64? = number.isNegative && number.magnitude != 0 ? nil : number.magnitude
    let outOfRange = TranscodingError("is not a whole number of its range")
    switch kind {
    case .int32, .sint32, .sfixed32:
      guard let signed, let value = Int32(exactly: signed) else { throw outOfRange }
      switch kind {
      case .int32: out.appendVarint(UInt64(bitPattern: Int64(value)))
      case .sint32: out.appendVarint(UInt64(UInt32(bitPattern: value << 1 ^ value >> 31)))
      default: out.appendFixed32(UInt32(bitPattern: value))
      }
    case .int64, .sint64, .sfixed64:
      guard let value = signed else { throw outOfRange }
      switch kind {
      case .int64: out.appendVarint(UInt64(bitPattern: value))
      case .sint64: out.appendVarint(UInt64(bitPattern: value << 1 ^ value >> 63))
      default: out.appendFixed64(UInt64(bitPattern: value))
      }
    case .uint32, .fixed32:
      guard let unsigned, let value = UInt32(exactly: unsigned) else { throw outOfRange }
      if kind == .uint32 { out.appendVarint(UInt64(value)) } else { out.appendFixed32(value) }
    default:
      guard let unsigned else { throw outOfRange }
      if kind == .fixed64 { out.appendFixed64(unsigned) } else { out.appendVarint(unsigned) }
    }
    return number.magnitude != 0
  }

  private mutating func floating<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Value.Type
  ) throws(TranscodingError) -> Value {
    if json.peek() == UInt8(ascii: "\"") {
      var ahead = json
      let raw = try ahead.string()
      switch String(decoding: raw.bytes, as: UTF8.self) {
      case "NaN":
        json = ahead
        return .nan
      case "Infinity":
        json = ahead
        return .infinity
      case "-Infinity":
        json = ahead
        return -.infinity
      default: break
      }
    }
    let value = try quotableNumber { Value(String(decoding: $0, as: UTF8.self)) }
    guard let value, value.isFinite else { throw TranscodingError("is not a number of its range") }
    return value
  }

  private mutating func bytes() throws(TranscodingError) -> Bool {
    guard json.peek() == UInt8(ascii: "\"") else { throw TranscodingError("is not a string of base64") }
    let raw = try json.string()
    let place = out.beginDelimited()
    let isGood: Bool
    if raw.hasEscapes {
      scratch.removeAll(keepingCapacity: true)
      try json.append(raw, to: &scratch)
      let text = scratch
      isGood = text.withUnsafeBufferPointer { Base64Text.decode($0, to: &out) }
    } else {
      isGood = Base64Text.decode(raw.bytes, to: &out)
    }
    guard isGood else { throw TranscodingError("is not base64") }
    let isEmpty = out.count == place
    out.endDelimited(place)
    return !isEmpty
  }

  private mutating func enumeration(_ index: Int, _ keeps: Bool) throws(TranscodingError) -> Bool {
    let number: Int32
    if json.peek() == UInt8(ascii: "\"") {
      let raw = try json.string()
      scratch.removeAll(keepingCapacity: true)
      try json.append(raw, to: &scratch)
      let names = contract.enums[index].numberOfName
      guard let named = scratch.withUnsafeBufferPointer({ names.value(of: $0) }) else {
        if unknown == .discarded { return false }
        throw TranscodingError("is not one of the names that it may have")
      }
      number = named
    } else {
      guard let given = try quotableNumber({ wholeNumber($0) }), given.magnitude <= 1 << 31,
        let value = Int32(exactly: given.isNegative ? -Int64(given.magnitude) : Int64(given.magnitude))
      else { throw TranscodingError("is not a whole number of its range") }
      number = value
    }
    out.appendVarint(UInt64(bitPattern: Int64(number)))
    return keeps || number != 0
  }

  // MARK: Messages with a JSON of their own

  private mutating func wellKnown(_ kind: MessageTable.WellKnown) throws(TranscodingError) {
    guard json.peek() == UInt8(ascii: "\"") else { throw TranscodingError(Self.refusal(of: kind)) }
    let raw = try json.string()
    scratch.removeAll(keepingCapacity: true)
    try json.append(raw, to: &scratch)
    switch kind {
    case .timestamp, .duration:
      let read = scratch.withUnsafeBufferPointer { kind == .timestamp ? TimeText.timestamp($0) : TimeText.duration($0) }
      guard let (seconds, nanos) = read else { throw TranscodingError(Self.refusal(of: kind)) }
      if seconds != 0 {
        out.append(0x08)
        out.appendVarint(UInt64(bitPattern: seconds))
      }
      if nanos != 0 {
        out.append(0x10)
        out.appendVarint(UInt64(bitPattern: Int64(nanos)))
      }
    case .fieldMask: try fieldMask()
    }
  }

  private static func refusal(of kind: MessageTable.WellKnown) -> String {
    switch kind {
    case .timestamp: "is not a time such as 2026-11-23T18:00:00Z"
    case .duration: "is not a duration such as 1.5s"
    case .fieldMask: "is not a list of fields such as displayName,birthDate"
    }
  }

  /// `displayName,birthDate` to the paths in proto spelling.
  private mutating func fieldMask() throws(TranscodingError) {
    guard !scratch.isEmpty else { return }
    for path in scratch.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      out.append(0x0A)
      let place = out.beginDelimited()
      for byte in path {
        guard byte != UInt8(ascii: "_") else { throw TranscodingError(Self.refusal(of: .fieldMask)) }
        if (0x41...0x5A).contains(byte) {
          out.append(UInt8(ascii: "_"))
          out.append(byte | 0x20)
        } else {
          out.append(byte)
        }
      }
      out.endDelimited(place)
    }
  }
}

/// Which of a message's fields, by index, have been seen.
struct Seen {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  func contains(_ index: Int) -> Bool { (index < 64 ? low >> index : high >> (index - 64)) & 1 != 0 }

  /// Returns whether it was not there yet.
  mutating func insert(_ index: Int) -> Bool {
    guard !contains(index) else { return false }
    if index < 64 { low |= 1 << index } else { high |= 1 << (index - 64) }
    return true
  }
}
