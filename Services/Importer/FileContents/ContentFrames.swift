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

  /// Of the content that arrives: what came of its header, its place and length once that is complete, and what came of its bytes.
  private var header: [UInt8] = []
  private var arriving: (place: Place, length: Int)?
  private var content: [UInt8] = []
  /// Contents that are complete, the oldest first.
  private var complete: [(place: Place, content: [UInt8])] = []
  private var failure: Malformed?
  /// Bytes of all contents so far.
  private var total = 0

  package init() {}

  /// Takes what has arrived. Each byte is copied once, whatever the length of its content: an event loop calls this.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    var rest = Array(bytes)[...]
    do throws(Malformed) {
      while !rest.isEmpty, failure == nil {
        if let arriving {
          let part = rest.prefix(arriving.length - content.count)
          content += part
          rest = rest.dropFirst(part.count)
        } else {
          let part = rest.prefix(Self.headerLength - header.count)
          header += part
          rest = rest.dropFirst(part.count)
          if header.count == Self.headerLength { try begin() }
        }
        if let arriving, content.count == arriving.length { try end(arriving.place) }
      }
    } catch {
      failure = error
    }
  }

  /// The next content as bytes (``ContentCodec``); `nil` while it is incomplete.
  package mutating func next() throws(Malformed) -> (place: Place, content: [UInt8])? {
    if !complete.isEmpty { return complete.removeFirst() }
    if let failure { throw failure }
    return nil
  }

  private mutating func begin() throws(Malformed) {
    guard let place = Place(rawValue: header[0]) else { throw Malformed() }
    let stated = header[1...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard stated <= UInt64(FileLimits.partBytes) else { throw Malformed() }
    (header, arriving) = ([], (place, Int(stated)))
    // So that what came is not moved while it grows.
    content.reserveCapacity(Int(stated))
  }

  private mutating func end(_ place: Place) throws(Malformed) {
    total += content.count
    // The reader itself stops at the first part beyond.
    guard total <= FileLimits.recordBytes + 2 * FileLimits.partBytes else { throw Malformed() }
    complete.append((place, content))
    (content, arriving) = ([], nil)
  }
}
