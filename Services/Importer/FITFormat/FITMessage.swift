/// The layout of data messages of a local type (FIT protocol, "Definition Message"), made once and shared by all of them.
package final class FITDefinition: Sendable {
  /// A field of a message.
  package struct Field: Sendable {
    package let number: UInt8
    /// In bytes; a multiple of the type's size for arrays.
    package let size: Int
    package let type: FITType
    /// From the beginning of the message's content.
    package let offset: Int
  }

  /// A field that an application defined.
  package struct DeveloperField: Sendable {
    package let number: UInt8
    package let developer: UInt8
    package let size: Int
    package let offset: Int
  }

  /// The message's number in the profile, for example 20 for `record`.
  package let message: UInt16
  package let isBigEndian: Bool
  package let fields: [Field]
  package let developerFields: [DeveloperField]
  /// Bytes of the content.
  package let size: Int
  /// For each field number the index in `fields`, or 255.
  private let indices: [UInt8]

  /// - Parameters:
  ///   - fields: fewer than 255.
  ///   - size: bytes of all fields.
  init(message: UInt16, isBigEndian: Bool, fields: [Field], developerFields: [DeveloperField], size: Int) {
    (self.message, self.isBigEndian, self.size) = (message, isBigEndian, size)
    (self.fields, self.developerFields) = (fields, developerFields)
    var indices = [UInt8](repeating: 255, count: 256)
    for (index, field) in fields.enumerated() { indices[Int(field.number)] = UInt8(index) }
    self.indices = indices
  }

  /// The field of a number; `nil` if messages have none.
  @inline(__always)
  package subscript(_ number: UInt8) -> Field? {
    let index = indices[Int(number)]
    return index == 255 ? nil : fields[Int(index)]
  }
}

/// The base types of the protocol.
package enum FITType: UInt8, Sendable {
  case `enum` = 0x00
  case sint8 = 0x01
  case uint8 = 0x02
  case sint16 = 0x83
  case uint16 = 0x84
  case sint32 = 0x85
  case uint32 = 0x86
  case string = 0x07
  case float32 = 0x88
  case float64 = 0x89
  case uint8z = 0x0A
  case uint16z = 0x8B
  case uint32z = 0x8C
  case byte = 0x0D
  case sint64 = 0x8E
  case uint64 = 0x8F
  case uint64z = 0x90

  /// Bytes of one value.
  package var size: Int {
    switch self {
    case .enum, .sint8, .uint8, .string, .uint8z, .byte: 1
    case .sint16, .uint16, .uint16z: 2
    case .sint32, .uint32, .float32, .uint32z: 4
    case .float64, .sint64, .uint64, .uint64z: 8
    }
  }
}

/// A value of a field.
package enum FITValue: Sendable, Equatable {
  case integer(Int64)
  case real(Double)
  /// UTF-8, up to the NUL.
  case text([UInt8])
  case bytes([UInt8])

  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text, .bytes: nil
    }
  }
}

/// A data message, valid only while it is passed to a visitor.
package struct FITMessage {
  package let definition: FITDefinition
  /// The timestamp of a compressed header: seconds since 1989-12-31T00:00:00Z; `nil` for other headers.
  package let headerTimestamp: UInt32?
  /// The byte of the file at which the message begins.
  package let offset: Int
  let content: UnsafeRawBufferPointer

  package var number: UInt16 { definition.message }

  /// The field's raw value as an integer: the first one of an array, `nil` if it is absent, invalid, or no integer.
  @inline(__always)
  package func integer(_ number: UInt8) -> Int64? {
    guard let field = definition[number] else { return nil }
    return integer(field.type, at: field.offset, size: field.size)
  }

  /// The field's value with the profile's scale and offset.
  @inline(__always)
  package func number(_ number: UInt8, scale: Double = 1, offset: Double = 0) -> Double? {
    guard let field = definition[number] else { return nil }
    return self.number(field.type, at: field.offset, size: field.size).map { $0 / scale - offset }
  }

  /// The first number of a developer's field as the application's description of it says ([FITDeveloperFields]); `nil` if it is none.
  func number(of field: FITDefinition.DeveloperField, as type: FITType) -> Double? {
    guard field.size % type.size == 0, type != .byte else { return nil }
    return number(type, at: field.offset, size: field.size)
  }

  @inline(__always)
  private func number(_ type: FITType, at offset: Int, size: Int) -> Double? {
    switch type {
    case .float32, .float64: real(type, at: offset, size: size)
    default: integer(type, at: offset, size: size).map(Double.init)
    }
  }

  /// The bytes of a field; `nil` if it is absent.
  package func bytes(_ number: UInt8) -> [UInt8]? {
    guard let field = definition[number] else { return nil }
    return Array(content[field.offset..<field.offset + field.size])
  }

  /// A field of text up to its NUL; `nil` if it is absent or empty.
  package func text(_ number: UInt8) -> String? {
    guard let bytes = bytes(number)?.prefix(while: { $0 != 0 }), !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// All values of a field, `nil` for those that are invalid.
  package func values(of field: FITDefinition.Field) -> [FITValue?] {
    values(field.type, at: field.offset, size: field.size)
  }

  /// All values of a developer's field as the application's description of it says ([FITDeveloperFields]), `nil` for those that are
  /// invalid.
  package func values(of field: FITDefinition.DeveloperField, as type: FITType) -> [FITValue?] {
    values(field.size % type.size == 0 ? type : .byte, at: field.offset, size: field.size)
  }

  private func values(_ type: FITType, at offset: Int, size: Int) -> [FITValue?] {
    let bytes = content[offset..<offset + size]
    switch type {
    case .byte: return [bytes.allSatisfy { $0 == 0xFF } ? nil : .bytes(Array(bytes))]
    case .string:
      let text = Array(bytes.prefix { $0 != 0 })
      return [text.isEmpty ? nil : .text(text)]
    case .float32, .float64:
      return stride(from: offset, to: offset + size, by: type.size).map {
        real(type, at: $0, size: type.size).map { .real($0) }
      }
    default:
      return stride(from: offset, to: offset + size, by: type.size).map {
        integer(type, at: $0, size: type.size).map { .integer($0) }
      }
    }
  }

  @inline(__always)
  private func load<T: FixedWidthInteger>(_: T.Type, _ offset: Int) -> T {
    let value = content.loadUnaligned(fromByteOffset: offset, as: T.self)
    return definition.isBigEndian ? T(bigEndian: value) : T(littleEndian: value)
  }

  @inline(__always)
  private func integer(_ type: FITType, at offset: Int, size: Int) -> Int64? {
    guard size >= type.size else { return nil }
    switch type {
    case .enum, .uint8, .byte:
      let value = content[offset]
      return value == 0xFF ? nil : Int64(value)
    case .sint8:
      let value = Int8(bitPattern: content[offset])
      return value == .max ? nil : Int64(value)
    case .uint8z:
      let value = content[offset]
      return value == 0 ? nil : Int64(value)
    case .sint16:
      let value = load(Int16.self, offset)
      return value == .max ? nil : Int64(value)
    case .uint16:
      let value = load(UInt16.self, offset)
      return value == .max ? nil : Int64(value)
    case .uint16z:
      let value = load(UInt16.self, offset)
      return value == 0 ? nil : Int64(value)
    case .sint32:
      let value = load(Int32.self, offset)
      return value == .max ? nil : Int64(value)
    case .uint32:
      let value = load(UInt32.self, offset)
      return value == .max ? nil : Int64(value)
    case .uint32z:
      let value = load(UInt32.self, offset)
      return value == 0 ? nil : Int64(value)
    case .sint64:
      let value = load(Int64.self, offset)
      return value == .max ? nil : value
    case .uint64, .uint64z:
      let value = load(UInt64.self, offset)
      return value == (type == .uint64 ? .max : 0) ? nil : Int64(exactly: value)
    case .string, .float32, .float64: return nil
    }
  }

  private func real(_ type: FITType, at offset: Int, size: Int) -> Double? {
    guard size >= type.size else { return nil }
    let value =
      type == .float32
      ? Double(Float(bitPattern: load(UInt32.self, offset))) : Double(bitPattern: load(UInt64.self, offset))
    return value.isFinite ? value : nil
  }
}
