/// Why a file cannot be read on, and where.
package struct ActivityFileFault: Error, Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// It has none of the formats.
    case unsupported = 1
    /// It is broken.
    case broken = 2
    /// It is longer than a file of its format may be.
    case tooLong = 3
    /// It contains, or unpacks to, more than a file may.
    case tooMuch = 4
  }

  package var kind: Kind
  /// For users.
  package var message: String
  /// The byte, from 0.
  package var offset: Int
  /// From 1; 0 for formats without lines.
  package var line: Int
  /// The member of an archive; empty otherwise.
  package var member: String

  package init(_ kind: Kind, _ message: String, offset: Int, line: Int = 0, member: String = "") {
    (self.kind, self.message, self.offset, self.line, self.member) = (kind, message, offset, line, member)
  }
}
