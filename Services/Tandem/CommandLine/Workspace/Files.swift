import FoundationEssentials
import Glibc

/// Reads and writes small files as a whole: a write is atomic for readers.
enum Files {
  /// The file's text; `nil` if it does not exist.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the text atomically, accessible for its owner only unless `mode` says otherwise.
  static func write(_ text: String, to path: String, mode: mode_t = 0o600) throws(Complaint) {
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Complaint("\(path) cannot be written: \(systemMessage())") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0,
      rename(temporary, path) == 0
    else {
      let reason = systemMessage()
      unlink(temporary)
      throw Complaint("\(path) cannot be written: \(reason)")
    }
  }

  /// Creates the folder and its parents if they do not exist.
  static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(Complaint) {
    if mkdir(path, mode) == 0 {
      // The umask may have removed permissions of `mode`.
      chmod(path, mode)
      return
    }
    if errno == ENOENT {
      let parent = Paths.parent(of: path)
      // If the parent exists, as in /proc, no folder can be created in it.
      guard !exists(parent) else { throw Complaint("\(path) cannot be made: \(systemMessage(ENOENT))") }
      try makeFolder(parent, mode: 0o755)
      return try makeFolder(path, mode: mode)
    }
    guard errno == EEXIST else { throw Complaint("\(path) cannot be made: \(systemMessage())") }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The names in a folder, sorted; empty if it does not exist.
  static func names(in folder: String) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch { return [] }
  }

  /// How often a folder is removed again that programs which are ending empty too.
  private static let maxRemovals = 5

  /// Removes the file, or the folder with its contents, if it exists.
  static func remove(_ path: String) throws(Complaint) {
    for attempt in 1...maxRemovals {
      guard exists(path) else { return }
      do { try FileManager.default.removeItem(atPath: path) } catch {
        let hasVanished = (error as? CocoaError)?.code == .fileNoSuchFile
        guard hasVanished, attempt < maxRemovals else { throw Complaint("\(path) cannot be removed: \(error)") }
      }
    }
  }
}

enum Paths {
  /// The absolute path, without `.`, `..` and double slashes.
  static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    let whole = path.hasPrefix("/") ? path : "\(currentFolder)/\(path)"
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  static var currentFolder: String {
    guard let text = getcwd(nil, 0) else { return "/" }
    defer { free(text) }
    return String(cString: text)
  }

  static func parent(of path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }

  /// The folder of the running program, which has the other programs too.
  static var programFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return currentFolder }
    return parent(of: String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// The path for output: relative to the current folder if it is in it.
  static func shown(_ path: String) -> String {
    let folder = currentFolder
    guard path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.count + 1))
  }
}
