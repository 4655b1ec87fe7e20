import Glibc

/// What the programs of a suite wrote last: a file of bounded size, and the one before it. It lasts for a look back; it is no archive.
final class LogFile {
  struct Line: Equatable {
    let program: String
    let text: String
  }

  private static let name = "suite.log"
  /// Bytes of each of the two files.
  private static let maxBytes = 4 << 20
  /// A line that is longer is cut, in bytes.
  private static let maxLine = 16_384

  private let path: String
  private var descriptor: CInt
  private var size: Int

  /// Goes on with the folder's file; `nil` where none can be written.
  init?(folder: String) {
    path = "\(folder)/\(Self.name)"
    descriptor = Self.opened(path)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    size = fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  deinit { close(descriptor) }

  private static func opened(_ path: String) -> CInt { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }

  func write(_ line: String, from program: String) {
    let bytes = Array("\(program)\t\(line)".utf8.prefix(Self.maxLine)) + [UInt8(ascii: "\n")]
    if size + bytes.count > Self.maxBytes { turn() }
    // A disk that is full takes no log; the suite goes on.
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { return }
    size += bytes.count
  }

  private func turn() {
    close(descriptor)
    rename(path, "\(path).1")
    (descriptor, size) = (Self.opened(path), 0)
  }

  /// The last lines, the oldest first.
  ///
  /// - Parameter program: `nil` for those of all.
  static func last(_ count: Int, of program: String?, in folder: String) -> [Line] {
    var lines: [Line] = []
    for path in ["\(folder)/\(name)", "\(folder)/\(name).1"] {
      for line in (Files.text(path) ?? "").split(separator: "\n").reversed() {
        guard lines.count < count else { return lines.reversed() }
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, program.map({ $0 == parts[0] }) ?? true else { continue }
        lines.append(Line(program: String(parts[0]), text: String(parts[1])))
      }
    }
    return lines.reversed()
  }
}
