/// Takes the output of a reader apart while it arrives: contents, of which all but the last have activities alone.
package struct ContentFrames: Sendable {
  /// The first byte of a part.
  package enum Place: UInt8, Sendable {
    case further = 1
    case last = 2
  }

  /// More than a reader may say, or what none says.
  package struct Malformed: Error {}

  /// Bytes before a content: its place, then its length, little-endian.
  package static let headerLength = 9

  private var output: [UInt8] = []
  /// Bytes of all contents so far.
  private var total = 0

  package init() {}

  package mutating func append(_ bytes: some Sequence<UInt8>) { output += bytes }

  /// The next content as bytes (``ContentCodec``); `nil` while it is incomplete.
  package mutating func next() throws(Malformed) -> (place: Place, content: [UInt8])? {
    guard output.count >= Self.headerLength else { return nil }
    guard let place = Place(rawValue: output[0]) else { throw Malformed() }
    let stated = output[1..<Self.headerLength].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard stated <= UInt64(FileLimits.partBytes) else { throw Malformed() }
    let end = Self.headerLength + Int(stated)
    guard output.count >= end else { return nil }
    total += Int(stated)
    // The reader itself stops at the first part beyond.
    guard total <= FileLimits.recordBytes + 2 * FileLimits.partBytes else { throw Malformed() }
    defer { output.removeSubrange(..<end) }
    return (place, Array(output[Self.headerLength..<end]))
  }
}
