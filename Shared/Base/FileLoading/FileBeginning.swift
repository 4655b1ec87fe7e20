/// The first bytes of a file, which are held until there are enough of them to tell its encoding: a pipe may deliver them one by one.
package struct FileBeginning: Sendable {
  /// Of the longest signature.
  private static let length = 4
  /// `nil` when they were passed on.
  private var held: [UInt8]? = []

  package init() {}

  /// The bytes to read, without the UTF-8 byte order mark, which Windows programs write.
  ///
  /// - Parameter chunk: the next bytes of the file; `nil` at its end.
  /// - Throws: ``UnusableFile`` for a file that is compressed or not in UTF-8.
  package mutating func pass(_ chunk: [UInt8]?) throws(UnusableFile) -> [UInt8] {
    guard let before = held else { return chunk ?? [] }
    let bytes = before.isEmpty ? chunk ?? [] : before + (chunk ?? [])
    guard chunk == nil || bytes.count >= Self.length else {
      held = bytes
      return []
    }
    held = nil
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw UnusableFile(reason: "it is in UTF-16; convert it to UTF-8")
    }
    // The signatures of gzip and zip.
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw UnusableFile(reason: "it is compressed; unpack it, into this command's standard input for example")
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}
