import GatewayText
import WorkerPool

extension Contract {
  /// Turns a serialized message into its JSON, in one pass.
  ///
  /// By protobuf's JSON mapping: fields in camel case, those with default values left out, 64-bit numbers as strings,
  /// enums by name. Unknown fields are left out.
  public func json(
    fromProtobuf bytes: UnsafeBufferPointer<UInt8>, _ message: MessageReference, in turn: borrowing BoundedTurn
  ) throws(TranscodingError) -> [UInt8] {
    precondition(bytes.count <= turn.maxBytes, "the message is longer than its turn")
    var writing = JSONMessageWriter(self)
    writing.out.reserveCapacity(bytes.count * 2 + 16)
    try writing.message(message.index, bytes, depth: 1)
    return writing.out
  }
}

/// Reads protobuf and writes JSON as it goes.
private struct JSONMessageWriter {
  private let contract: Contract
  var out: [UInt8] = []

  init(_ contract: Contract) { self.contract = contract }

  mutating func message(
    _ index: Int, _ bytes: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(TranscodingError) {
    guard depth <= maxDepth else { throw .tooDeep }
    let table = contract.messages[index]
    if let wellKnown = table.wellKnown { return try self.wellKnown(wellKnown, bytes) }
    let start = out.count
    if try object(table, bytes, depth: depth) { return }
    // Legal, and no serializer of the suite writes it: values of a field that stand apart, or one that was set twice.
    out.removeSubrange(start...)
    let ordered = try normalised(table, bytes)
    let isDone = try ordered.withUnsafeBufferPointer { bytes throws(TranscodingError) in
      try object(table, bytes, depth: depth)
    }
    guard isDone else { throw .malformed }
  }

  /// Writes the object; returns false, with a part of it written, where the fields are not in an order that one pass can write.
  private mutating func object(
    _ table: MessageTable, _ bytes: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(TranscodingError) -> Bool {
    out.append(UInt8(ascii: "{"))
    var wire = WireBytes(bytes)
    var (seen, seenOneofs) = (Seen(), Seen())
    // The repeated field or map whose bracket is open.
    var open = -1
    var isFirst = true
    var keys: Set<[UInt8]> = []
    while let tag = try wire.tag() {
      guard let place = table.index(of: tag.number) else {
        try wire.skip(tag)
        continue
      }
      let field = table.fields[place]
      if place == open {
        guard tag.wireType == field.kind.wireType || tag.wireType == 2 else { throw .malformed }
      } else {
        if seen.contains(place) { return false }
        if open >= 0 { close(table.fields[open], &open) }
      }
      let before = out.count
      if field.shape == .singular {
        guard tag.wireType == field.kind.wireType else { throw .malformed }
        if field.oneof >= 0, !seenOneofs.insert(field.oneof) { return false }
        if !isFirst { out.append(UInt8(ascii: ",")) }
        out.append(contentsOf: field.jsonKey)
        let isDefault: Bool
        do throws(TranscodingError) {
          isDefault = try value(field.kind, &wire, depth)
        } catch {
          throw error.inside(field.name)
        }
        _ = seen.insert(place)
        if isDefault, !field.hasPresence { out.removeSubrange(before...) } else { isFirst = false }
        continue
      }
      if place == open {
        out.append(UInt8(ascii: ","))
      } else {
        if !isFirst { out.append(UInt8(ascii: ",")) }
        out.append(contentsOf: field.jsonKey)
        out.append(field.shape == .map ? UInt8(ascii: "{") : UInt8(ascii: "["))
        keys.removeAll()
      }
      let hasValues: Bool
      do throws(TranscodingError) {
        hasValues = try values(field, tag.wireType, &wire, depth, &keys)
      } catch {
        if error == Self.disorder { return false }
        throw error.inside(field.name)
      }
      if hasValues {
        (open, isFirst) = (place, false)
        _ = seen.insert(place)
      } else {
        out.removeSubrange(before...)
      }
    }
    if open >= 0 { close(table.fields[open], &open) }
    out.append(UInt8(ascii: "}"))
    return true
  }

  private static let disorder = TranscodingError("has a key twice")

  private mutating func close(_ field: FieldTable, _ open: inout Int) {
    out.append(field.shape == .map ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    open = -1
  }

  /// Writes one element, a packed run of them, or an entry of a map. Returns false when there was none.
  private mutating func values(
    _ field: FieldTable, _ wireType: UInt8, _ wire: inout WireBytes, _ depth: Int, _ keys: inout Set<[UInt8]>
  ) throws(TranscodingError) -> Bool {
    if field.shape == .map {
      try entry(field, try wire.delimited(), depth, &keys)
      return true
    }
    if wireType == field.kind.wireType {
      _ = try value(field.kind, &wire, depth)
      return true
    }
    guard wireType == 2 else { throw .malformed }
    var packed = WireBytes(try wire.delimited())
    var count = 0
    while !packed.isAtEnd {
      if count > 0 { out.append(UInt8(ascii: ",")) }
      _ = try value(field.kind, &packed, depth)
      count += 1
    }
    return count > 0
  }

  private mutating func entry(
    _ field: FieldTable, _ bytes: UnsafeBufferPointer<UInt8>, _ depth: Int, _ keys: inout Set<[UInt8]>
  ) throws(TranscodingError) {
    guard case .message(let index) = field.kind else { throw .malformed }
    let entry = contract.messages[index]
    var wire = WireBytes(bytes)
    var (key, element): (WireBytes?, WireBytes?) = (nil, nil)
    while let tag = try wire.tag() {
      if tag.number == 1, tag.wireType == entry.fields[0].kind.wireType { key = wire }
      if tag.number == 2, tag.wireType == entry.fields[1].kind.wireType { element = wire }
      try wire.skip(tag)
    }
    let start = out.count
    try mapKey(entry.fields[0].kind, key)
    guard keys.insert(Array(out[start...])).inserted else { throw Self.disorder }
    out.append(UInt8(ascii: ":"))
    if var element {
      _ = try value(entry.fields[1].kind, &element, depth + 1)
    } else {
      try absent(entry.fields[1].kind, depth + 1)
    }
  }

  private mutating func mapKey(_ kind: FieldTable.Kind, _ key: WireBytes?) throws(TranscodingError) {
    let start = out.count
    if var key { _ = try value(kind, &key, 1) } else { try absent(kind, 1) }
    // Keys are strings, whatever their type.
    guard out[start] != UInt8(ascii: "\"") else { return }
    out.insert(UInt8(ascii: "\""), at: start)
    out.append(UInt8(ascii: "\""))
  }

  /// The default value of a type.
  private mutating func absent(_ kind: FieldTable.Kind, _ depth: Int) throws(TranscodingError) {
    let zeros = [UInt8](repeating: 0, count: 8)
    try zeros.withUnsafeBufferPointer { bytes throws(TranscodingError) in
      var wire = WireBytes(bytes)
      _ = try value(kind, &wire, depth)
    }
  }

  /// Writes one value; returns whether it is the default of its type.
  private mutating func value(
    _ kind: FieldTable.Kind, _ wire: inout WireBytes, _ depth: Int
  ) throws(TranscodingError) -> Bool {
    switch kind {
    case .message(let index):
      try message(index, try wire.delimited(), depth: depth + 1)
      return false
    case .string:
      let bytes = try wire.delimited()
      try string(bytes)
      return bytes.isEmpty
    case .bytes:
      let bytes = try wire.delimited()
      out.append(UInt8(ascii: "\""))
      Base64Text.append(bytes, to: &out)
      out.append(UInt8(ascii: "\""))
      return bytes.isEmpty
    case .bool:
      let value = try wire.varint()
      out.append(contentsOf: Array((value != 0 ? "true" : "false").utf8))
      return value == 0
    case .enumeration(let index):
      let number = Int32(truncatingIfNeeded: try wire.varint())
      if let name = contract.enums[index].nameOfNumber[number] {
        out.append(contentsOf: name)
      } else {
        out.append(decimal: Int64(number))
      }
      return number == 0
    case .double:
      let value = Double(bitPattern: try wire.fixed64())
      append(floating: value, isNegative: value < 0)
      return value.bitPattern == 0
    case .float:
      let value = Float(bitPattern: try wire.fixed32())
      append(floating: value, isNegative: value < 0)
      return value.bitPattern == 0
    case .int32: return append(Int64(Int32(truncatingIfNeeded: try wire.varint())))
    case .sint32:
      let raw = UInt32(truncatingIfNeeded: try wire.varint())
      return append(Int64(Int32(bitPattern: raw >> 1) ^ -Int32(bitPattern: raw & 1)))
    case .sfixed32: return append(Int64(Int32(bitPattern: try wire.fixed32())))
    case .uint32: return append(Int64(UInt32(truncatingIfNeeded: try wire.varint())))
    case .fixed32: return append(Int64(try wire.fixed32()))
    case .int64: return appendQuoted(Int64(bitPattern: try wire.varint()))
    case .sint64:
      let raw = try wire.varint()
      return appendQuoted(Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1))
    case .sfixed64: return appendQuoted(Int64(bitPattern: try wire.fixed64()))
    case .uint64: return appendQuoted(try wire.varint())
    case .fixed64: return appendQuoted(try wire.fixed64())
    }
  }

  private mutating func append(_ value: Int64) -> Bool {
    out.append(decimal: value)
    return value == 0
  }

  private mutating func appendQuoted(_ value: Int64) -> Bool {
    out.append(UInt8(ascii: "\""))
    out.append(decimal: value)
    out.append(UInt8(ascii: "\""))
    return value == 0
  }

  private mutating func appendQuoted(_ value: UInt64) -> Bool {
    out.append(UInt8(ascii: "\""))
    out.append(decimal: value)
    out.append(UInt8(ascii: "\""))
    return value == 0
  }

  private mutating func append<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    floating value: Value, isNegative: Bool
  ) {
    let text =
      value.isNaN ? "\"NaN\"" : value.isInfinite ? (isNegative ? "\"-Infinity\"" : "\"Infinity\"") : value.description
    // The shortest that reads as the same number, in JSON's grammar.
    out.append(contentsOf: Array(text.utf8))
  }

  private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) throws(TranscodingError) {
    guard isUTF8(bytes) else { throw .invalidUTF8 }
    appendJSONString(bytes, to: &out)
  }

  // MARK: Messages with a JSON of their own

  private mutating func wellKnown(
    _ kind: MessageTable.WellKnown, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(TranscodingError) {
    out.append(UInt8(ascii: "\""))
    switch kind {
    case .timestamp, .duration:
      var wire = WireBytes(bytes)
      var (seconds, nanos): (Int64, Int64) = (0, 0)
      while let tag = try wire.tag() {
        switch (tag.number, tag.wireType) {
        case (1, 0): seconds = Int64(bitPattern: try wire.varint())
        case (2, 0): nanos = Int64(Int32(truncatingIfNeeded: try wire.varint()))
        default: try wire.skip(tag)
        }
      }
      let isGood =
        kind == .timestamp
        ? TimeText.appendTimestamp(seconds, nanos, to: &out) : TimeText.appendDuration(seconds, nanos, to: &out)
      guard isGood else { throw TranscodingError("is a time out of range") }
    case .fieldMask: try fieldMask(bytes)
    }
    out.append(UInt8(ascii: "\""))
  }

  private mutating func fieldMask(_ bytes: UnsafeBufferPointer<UInt8>) throws(TranscodingError) {
    var wire = WireBytes(bytes)
    var isFirst = true
    while let tag = try wire.tag() {
      guard tag.number == 1, tag.wireType == 2 else {
        try wire.skip(tag)
        continue
      }
      if !isFirst { out.append(UInt8(ascii: ",")) }
      isFirst = false
      var wasUnderscore = false
      for byte in try wire.delimited() {
        let isLower = (0x61...0x7A).contains(byte)
        // Only paths that come back the same have a JSON.
        guard !(0x41...0x5A).contains(byte), !wasUnderscore || isLower, byte >= 0x20, byte < 0x7F,
          byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
        else { throw TranscodingError("is a path that JSON cannot hold") }
        if byte != UInt8(ascii: "_") { out.append(wasUnderscore ? byte & ~0x20 : byte) }
        wasUnderscore = byte == UInt8(ascii: "_")
      }
      if wasUnderscore { throw TranscodingError("is a path that JSON cannot hold") }
    }
  }

  // MARK: Any order

  /// The same message with the values of each field together and in order, the last of singular ones only, and of a
  /// oneof the last member only. Messages that were set twice are merged by writing one after the other.
  private func normalised(
    _ table: MessageTable, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(TranscodingError) -> [UInt8] {
    var pieces: [[UnsafeBufferPointer<UInt8>]] = Array(repeating: [], count: table.fields.count)
    var wire = WireBytes(bytes)
    while true {
      let start = wire.at
      guard let tag = try wire.tag() else { break }
      let contentStart = wire.at
      try wire.skip(tag)
      guard let place = table.index(of: tag.number) else { continue }
      let field = table.fields[place]
      var isMessage = false
      if case .message = field.kind { isMessage = true }
      if field.shape == .singular {
        guard tag.wireType == field.kind.wireType else { throw .malformed }
        if !isMessage { pieces[place] = [] }
        if field.oneof >= 0 {
          for (other, sibling) in table.fields.enumerated() where sibling.oneof == field.oneof && other != place {
            pieces[other] = []
          }
        }
      }
      let keepsTag = field.shape != .singular || !isMessage
      pieces[place].append(wire.bytes(from: keepsTag ? start : contentStart))
    }
    var ordered: [UInt8] = []
    for (place, parts) in pieces.enumerated() where !parts.isEmpty {
      let field = table.fields[place]
      if field.shape == .singular, case .message = field.kind {
        ordered.append(contentsOf: field.tag)
        let start = ordered.beginDelimited()
        for part in parts {
          var content = WireBytes(part)
          ordered.append(contentsOf: try content.delimited())
        }
        ordered.endDelimited(start)
      } else if field.shape == .map {
        for part in try lastEntries(field, parts) { ordered.append(contentsOf: part) }
      } else {
        for part in parts { ordered.append(contentsOf: part) }
      }
    }
    return ordered
  }

  /// The last entry of each key.
  private func lastEntries(
    _ field: FieldTable, _ parts: [UnsafeBufferPointer<UInt8>]
  ) throws(TranscodingError) -> [UnsafeBufferPointer<UInt8>] {
    guard case .message(let index) = field.kind else { throw .malformed }
    let keyKind = contract.messages[index].fields[0].kind
    var (places, kept): ([[UInt8]: Int], [UnsafeBufferPointer<UInt8>]) = ([:], [])
    for part in parts {
      var wire = WireBytes(part)
      _ = try wire.tag()
      var content = WireBytes(try wire.delimited())
      var key: WireBytes?
      while let tag = try content.tag() {
        if tag.number == 1, tag.wireType == keyKind.wireType { key = content }
        try content.skip(tag)
      }
      var scratch = JSONMessageWriter(contract)
      try scratch.mapKey(keyKind, key)
      if let place = places[scratch.out] {
        kept[place] = part
      } else {
        places[scratch.out] = kept.count
        kept.append(part)
      }
    }
    return kept
  }
}

/// The fields of a serialized message, read from its start.
struct WireBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var at = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  struct Tag {
    let number: UInt32
    let wireType: UInt8
  }

  var isAtEnd: Bool { at == bytes.count }

  func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[start..<at]) }

  /// The next field's tag; `nil` at the end.
  @inline(__always)
  mutating func tag() throws(TranscodingError) -> Tag? {
    guard at < bytes.count else { return nil }
    let value = try varint()
    guard value >> 3 > 0, value >> 3 < 1 << 29 else { throw .malformed }
    return Tag(number: UInt32(truncatingIfNeeded: value >> 3), wireType: UInt8(value & 7))
  }

  @inline(__always)
  mutating func varint() throws(TranscodingError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard at < bytes.count else { throw .malformed }
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .malformed
  }

  mutating func fixed32() throws(TranscodingError) -> UInt32 {
    guard bytes.count - at >= 4 else { throw .malformed }
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(bytes[at + index]) << (UInt32(index) * 8) }
    at += 4
    return value
  }

  mutating func fixed64() throws(TranscodingError) -> UInt64 {
    guard bytes.count - at >= 8 else { throw .malformed }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[at + index]) << (UInt64(index) * 8) }
    at += 8
    return value
  }

  mutating func delimited() throws(TranscodingError) -> UnsafeBufferPointer<UInt8> {
    let length = try varint()
    guard length <= UInt64(bytes.count - at) else { throw .malformed }
    let start = at
    at += Int(length)
    return UnsafeBufferPointer(rebasing: bytes[start..<at])
  }

  /// Skips a field's value. Groups are not skipped: proto3 has none.
  mutating func skip(_ tag: Tag) throws(TranscodingError) {
    switch tag.wireType {
    case 0: _ = try varint()
    case 1: _ = try fixed64()
    case 2: _ = try delimited()
    case 5: _ = try fixed32()
    default: throw .malformed
    }
  }
}
