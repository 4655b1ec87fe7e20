/// Why a FIT file cannot be read on, and where.
package struct FITFault: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// The header is not that of a FIT file.
    case header
    /// The file ends before its records do.
    case truncated
    /// A data message refers to a definition that did not come.
    case undefinedMessage(local: Int)
    /// A definition is not one of the protocol.
    case definition
    /// The checksum at the end is another.
    case checksum
  }

  package let kind: Kind
  /// The byte in the file, from 0.
  package let offset: Int

  package var description: String {
    switch kind {
    case .header: "This is not the header of a FIT file"
    case .truncated: "The file ends in the middle of a record"
    case .undefinedMessage(let local): "Message type \(local) is used but was not defined"
    case .definition: "A definition of a message is broken"
    case .checksum: "The checksum of the file does not fit its content"
    }
  }
}
