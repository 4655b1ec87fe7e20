/// Cuts a stream of bytes into lines.
struct LineSplitter: Sendable {
  /// A longer line is cut there, so that a program that never ends its line costs no memory without limit.
  static let maxLineLength = 65_536

  private let limit: Int
  private var pending: [UInt8] = []

  /// - Parameter maxLineLength: bytes after which a line is cut.
  init(maxLineLength: Int = maxLineLength) {
    limit = maxLineLength
  }

  /// The lines that are complete with these bytes.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || pending.count == limit { lines.append(contentsOf: takeRest()) }
      if byte != UInt8(ascii: "\n") { pending.append(byte) }
    }
    return lines
  }

  /// What is left at the end of the stream.
  mutating func takeRest() -> [String] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.isEmpty ? [] : [String(decoding: pending, as: UTF8.self)]
  }
}
