/// A field of a message, as the transcoder needs it: everything that would be derived again for each value is here.
struct FieldTable: Sendable {
  /// The type of a field's values.
  enum Kind: Sendable, Equatable {
    case double, float, bool, string, bytes
    case int32, sint32, sfixed32, uint32, fixed32
    case int64, sint64, sfixed64, uint64, fixed64
    /// The index of the enum's table.
    case enumeration(Int)
    /// The index of the message's table.
    case message(Int)

    /// The wire type of one value: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes.
    var wireType: UInt8 {
      switch self {
      case .double, .sfixed64, .fixed64: 1
      case .float, .sfixed32, .fixed32: 5
      case .string, .bytes, .message: 2
      case .bool, .int32, .sint32, .uint32, .int64, .sint64, .uint64, .enumeration: 0
      }
    }
  }

  /// How many values there are.
  enum Shape: Sendable, Equatable {
    /// One value, or none.
    case singular
    case repeated(isPacked: Bool)
    /// Entries; the field's kind is the message of an entry.
    case map
  }

  /// In proto spelling, `date_of_birth`.
  let name: String
  /// `"dateOfBirth":`, as it is written.
  let jsonKey: [UInt8]
  let number: UInt32
  let kind: Kind
  let shape: Shape
  /// Whether a set field with the default value differs from one that is not set.
  let hasPresence: Bool
  /// The index of its oneof in the message; -1 for none.
  let oneof: Int
  /// The field's tag as it stands before a value, or before all of them where they are packed.
  let tag: [UInt8]
}

/// An enum's names and numbers.
struct EnumTable: Sendable {
  /// The first name of each number, quoted as it is written.
  let nameOfNumber: [Int32: [UInt8]]
  let numberOfName: NameTable
}

/// A message type: its fields, found by number and by name.
struct MessageTable: Sendable {
  /// A message whose JSON is not an object of its fields.
  enum WellKnown: Sendable {
    case timestamp, duration, fieldMask
  }

  let fullName: String
  let fields: [FieldTable]
  let wellKnown: WellKnown?
  let isMapEntry: Bool
  /// By the camel case name and the original one; the value is the field's index.
  let byName: NameTable
  private let byNumber: [UInt32: Int]
  private let byLowNumber: [Int16]

  /// Fields of which a message may have no more: a bit is kept for each while a message is read.
  static let maxFields = 128

  init(fullName: String, fields: [FieldTable], jsonNames: [String], wellKnown: WellKnown?, isMapEntry: Bool) {
    self.fullName = fullName
    self.fields = fields
    self.wellKnown = wellKnown
    self.isMapEntry = isMapEntry
    var names: [(String, Int32)] = []
    for (index, field) in fields.enumerated() {
      names.append((jsonNames[index], Int32(index)))
      if field.name != jsonNames[index] { names.append((field.name, Int32(index))) }
    }
    byName = NameTable(names)
    byNumber = Dictionary(fields.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    var low = [Int16](repeating: -1, count: 64)
    for (index, field) in fields.enumerated() where field.number < 64 { low[Int(field.number)] = Int16(index) }
    byLowNumber = low
  }

  /// The index of the field with that number.
  @inline(__always)
  func index(of number: UInt32) -> Int? {
    if number < 64 {
      let index = byLowNumber[Int(number)]
      return index < 0 ? nil : Int(index)
    }
    return byNumber[number]
  }
}

/// Numbers by name, found from the bytes of a name without a copy of them: open addressing, at most half full.
struct NameTable: Sendable {
  private struct Slot: Sendable {
    var start: Int32 = -1
    var length: Int32 = 0
    var value: Int32 = 0
  }

  private var slots: [Slot]
  private var bytes: [UInt8] = []
  private let mask: Int

  /// The first of equal names counts.
  init(_ names: [(name: String, value: Int32)]) {
    var size = 4
    while size < names.count * 2 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: Slot(), count: size)
    for (name, value) in names {
      let text = Array(name.utf8)
      var place = text.withUnsafeBufferPointer { Self.hash($0) } & mask
      var isKnown = false
      while slots[place].start >= 0 {
        let slot = slots[place]
        if bytes[Int(slot.start)..<Int(slot.start + slot.length)].elementsEqual(text) { isKnown = true }
        place = (place + 1) & mask
      }
      guard !isKnown else { continue }
      slots[place] = Slot(start: Int32(bytes.count), length: Int32(text.count), value: value)
      bytes += text
    }
  }

  func value(of name: UnsafeBufferPointer<UInt8>) -> Int32? {
    var place = Self.hash(name) & mask
    while true {
      let slot = slots[place]
      guard slot.start >= 0 else { return nil }
      if Int(slot.length) == name.count, isSame(slot, name) { return slot.value }
      place = (place + 1) & mask
    }
  }

  private func isSame(_ slot: Slot, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = Int(slot.start)
    for index in 0..<name.count where bytes[start + index] != name[index] { return false }
    return true
  }

  /// FNV-1a. The names are the contract's, so nobody can choose them to collide; a caller's name is only looked up.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash)
  }
}
