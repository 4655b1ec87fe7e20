import Glibc
import Synchronization

/// A database's URL, and the file that it may change in: an operator who changes the password there need not restart
/// anything.
final class CurrentURL: Sendable {
  /// Far longer than a URL with several hosts.
  private static let maxBytes = 64 * 1024
  private let file: String?
  private let last: Mutex<String>

  init(_ url: String, file: String?) {
    self.file = file
    last = Mutex(url)
  }

  /// The last valid URL.
  var value: String { last.withLock { $0 } }

  func keep(_ url: String) { last.withLock { $0 = url } }

  /// The file's content, without a line break at its end; `nil` without a file, or while it cannot be read. Blocks, so
  /// not on a loop.
  var written: String? {
    guard let file else { return nil }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxBytes) { buffer, count in
      var last = 1
      while count < buffer.count, last > 0 {
        last = read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        count += max(0, last)
      }
    }
    return String(validating: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}
