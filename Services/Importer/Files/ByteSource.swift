import FileContents

/// Where bytes of a file come from: the input of a process, memory, or a member of an archive.
package protocol ByteSource {
  /// Reads the next bytes into `buffer`; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int
}

/// Bytes in memory.
package struct MemorySource: ByteSource {
  private let bytes: [UInt8]
  private var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - offset)
    buffer.copyBytes(from: bytes[offset..<offset + count])
    offset += count
    return count
  }
}

/// A source of which the first bytes were looked at before.
struct PrefixedSource<Rest: ByteSource>: ByteSource {
  private var prefix: MemorySource
  private var rest: Rest

  init(_ prefix: [UInt8], _ rest: Rest) { (self.prefix, self.rest) = (MemorySource(prefix), rest) }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int {
    let count = prefix.read(into: buffer)
    return count > 0 ? count : try rest.read(into: buffer)
  }
}

extension ByteSource {
  /// So many bytes, fewer only at the end.
  mutating func first(_ count: Int) throws(ActivityFileFault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = 0
    while length < count {
      let read = try fill(&bytes, from: length)
      if read == 0 { break }
      length += read
    }
    return Array(bytes.prefix(length))
  }

  mutating func fill(_ bytes: inout [UInt8], from offset: Int) throws(ActivityFileFault) -> Int {
    var result: Result<Int, ActivityFileFault> = .success(0)
    bytes.withUnsafeMutableBytes { buffer in
      do throws(ActivityFileFault) {
        result = .success(try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])))
      } catch { result = .failure(error) }
    }
    return try result.get()
  }

  /// All bytes; refuses more than `most`.
  mutating func all(atMost most: Int) throws(ActivityFileFault) -> [UInt8] {
    var (bytes, length): ([UInt8], Int) = ([], 0)
    while true {
      if length == bytes.count { bytes += repeatElement(0, count: max(1 << 16, length)) }
      let read = try fill(&bytes, from: length)
      length += read
      guard length <= most else { throw ActivityFileFault(.tooLong, "The file is too long", offset: most) }
      if read == 0 {
        bytes.removeLast(bytes.count - length)
        return bytes
      }
    }
  }
}
