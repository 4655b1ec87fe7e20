/// Splits a stream of bytes into lines.
struct LineSplitter: Sendable {
  /// Longer lines are split, so that the buffer is bounded.
  static let maxLineLength = 65_536

  private let limit: Int
  private var pending: [UInt8] = []

  /// - Parameter maxLineLength: in bytes; longer lines are split.
  init(maxLineLength: Int = maxLineLength) {
    limit = maxLineLength
  }

  /// The lines that these bytes complete.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || pending.count == limit { lines.append(contentsOf: takeRest()) }
      if byte != UInt8(ascii: "\n") { pending.append(byte) }
    }
    return lines
  }

  /// The incomplete line at the end of the stream.
  mutating func takeRest() -> [String] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.isEmpty ? [] : [String(decoding: pending, as: UTF8.self)]
  }
}
