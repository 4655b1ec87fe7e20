/// The fields that applications added to a file, as the file describes them (FIT protocol, "Developer Data").
package struct FITDeveloperFields: Sendable {
  package struct Description: Sendable, Equatable {
    package let name: String
    package let units: String
    package let type: FITType
    package let scale: Double
    package let offset: Double
    /// The field of the profile that it stands for, of messages of the number ``nativeMessage``.
    package let nativeField: UInt8?
    package let nativeMessage: UInt16?
  }

  /// The number of `field_description` in the profile.
  private static let describing: UInt16 = 206

  private var descriptions: [UInt16: Description] = [:]

  package init() {}

  /// Reads a message, which may describe a field.
  package mutating func add(_ message: FITMessage) {
    guard message.number == Self.describing, let developer = message.integer(0), let number = message.integer(1),
      let type = message.integer(2).flatMap(Self.type), (0...255).contains(developer), (0...255).contains(number)
    else { return }
    descriptions[UInt16(developer) << 8 | UInt16(number)] = Description(
      name: message.text(3) ?? "", units: message.text(8) ?? "", type: type,
      scale: message.integer(6).map(Double.init) ?? 1, offset: message.integer(7).map(Double.init) ?? 0,
      nativeField: message.integer(15).flatMap { UInt8(exactly: $0) },
      nativeMessage: message.integer(14).flatMap { UInt16(exactly: $0) })
  }

  private static func type(_ number: Int64) -> FITType? {
    UInt8(exactly: number).flatMap { FITType(rawValue: $0) ?? FITType(rawValue: $0 | 0x80) }
  }

  /// What the file says of a field; `nil` if it has not described it.
  package subscript(_ field: FITDefinition.DeveloperField) -> Description? {
    descriptions[UInt16(field.developer) << 8 | UInt16(field.number)]
  }
}

extension FITMessage {
  /// The first value of a developer's field, with its scale and offset; `nil` if it is none.
  package func number(
    of field: FITDefinition.DeveloperField, _ description: FITDeveloperFields.Description
  ) -> Double? {
    number(of: field, as: description.type).map {
      $0 / (description.scale == 0 ? 1 : description.scale) - description.offset
    }
  }
}
