import Glibc

/// The bytes of a file, or of standard input, a chunk at a time. Blocks its thread: for a command, not for a service.
package struct FileChunks: ~Copyable {
  /// Bytes of a chunk at most.
  private static let chunk = 256 * 1024

  private let descriptor: Int32
  /// Bytes; `nil` where it is unknown, as for a pipe.
  package let size: Int?

  /// - Parameter path: `-` is standard input.
  /// - Throws: ``UnusableFile`` where it cannot be opened or is not a file.
  package init(path: String) throws(UnusableFile) {
    if path == "-" {
      (descriptor, size) = (STDIN_FILENO, nil)
      return
    }
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.unusable() }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(opened)
      throw UnusableFile(reason: "it is a folder")
    }
    descriptor = opened
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// The next bytes; `nil` at the end.
  package func next() throws(UnusableFile) -> [UInt8]? {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, Self.chunk)
        filled = max(0, count)
      }
      if count > 0 { return bytes }
      if count == 0 { return nil }
      if errno != EINTR { throw Self.unusable() }
    }
  }

  private static func unusable() -> UnusableFile {
    let message = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return UnusableFile(reason: message.prefix(1).lowercased() + message.dropFirst())
  }
}
