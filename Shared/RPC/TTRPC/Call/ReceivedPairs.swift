/// The metadata of a call as received, in one block of memory: most calls look up one or two names, and only those
/// become strings.
///
/// Each pair is two lengths of 32 bits, then the name, then the value. A text that is not UTF-8 becomes one replacement
/// character, which matches no name.
package struct ReceivedPairs: Sendable {
  private let bytes: [UInt8]

  /// Bytes of the two lengths before a pair.
  private static let lengths = 8

  /// The pairs that `write` adds: `count` of them, with `size` bytes of names and values together.
  package init(count: Int, bytes size: Int, _ write: (inout Writer) -> Void) {
    var bytes = [UInt8](repeating: 0, count: count * Self.lengths + size)
    bytes.withUnsafeMutableBytes { buffer in
      var writer = Writer(buffer: buffer)
      write(&writer)
      precondition(writer.end == buffer.count, "as many pairs come as were announced")
    }
    self.bytes = bytes
  }

  /// Appends pairs to the block.
  package struct Writer {
    fileprivate let buffer: UnsafeMutableRawBufferPointer
    fileprivate var end = 0

    package mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      let size = ReceivedPairs.lengths + name.count + value.count
      precondition(size <= buffer.count - end, "there is room for as many pairs as were announced")
      buffer.storeBytes(of: UInt32(name.count), toByteOffset: end, as: UInt32.self)
      buffer.storeBytes(of: UInt32(value.count), toByteOffset: end + 4, as: UInt32.self)
      let texts = UnsafeMutableRawBufferPointer(rebasing: buffer[(end + ReceivedPairs.lengths)...])
      texts.copyMemory(from: name)
      UnsafeMutableRawBufferPointer(rebasing: texts[name.count...]).copyMemory(from: value)
      end += size
    }
  }

  /// All pairs as strings.
  var texts: [Metadata.Pair] {
    var pairs: [Metadata.Pair] = []
    forEach { name, value in
      pairs.append(.init(name: Self.text(name), value: Self.text(value)))
      return true
    }
    return pairs
  }

  /// The bytes as text.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String { String(utf8: bytes) ?? "\u{FFFD}" }

  /// The result of `read` for the first value of `name`, compared without case; `nil` when there is none.
  func withFirst<Result>(_ name: String, _ read: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    var result: Result?
    forEach { candidate, value in
      guard name.utf8.count == candidate.count, Metadata.areSame(name.utf8, candidate) else { return true }
      result = read(value)
      return false
    }
    return result
  }

  /// Calls `take` with every pair, in order, until it returns `false`.
  private func forEach(_ take: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let nameStart = start + Self.lengths
        let valueStart = nameStart + Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        let end = valueStart + Int(bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self))
        let name = UnsafeRawBufferPointer(rebasing: bytes[nameStart..<valueStart])
        guard take(name, UnsafeRawBufferPointer(rebasing: bytes[valueStart..<end])) else { return }
        start = end
      }
    }
  }
}
