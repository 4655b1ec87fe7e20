import Glibc

/// Why a service does not start: one line for each problem, each saying what to do, and the exit status.
public struct StartupError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One problem each; never empty, no line breaks.
  public let lines: [String]
  /// 2 for wrong usage or settings, 3 for a command that would spoil what is there, 1 for anything else outside the program.
  public let exitStatus: Int32

  /// The command line or the settings are wrong.
  public init(usage lines: String...) { self.init(usage: lines) }

  public init(usage lines: [String]) {
    self.lines = lines
    exitStatus = 2
  }

  /// The settings are valid, but something outside prevents the start: a port in use, a database that refuses.
  public init(failure line: String) {
    lines = [line]
    exitStatus = 1
  }

  /// Nothing is wrong, but the command would spoil what is there; trying again is of no use.
  public init(refusal line: String) {
    lines = [line]
    exitStatus = 3
  }

  public var description: String { lines.joined(separator: "; ") }
}

/// The bytes of a regular file of at most 16 MiB.
///
/// - Parameter purpose: begins the error's line, e.g. `the certificate (tls-cert)`.
func readFile(_ path: String, purpose: String) throws(StartupError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw StartupError(usage: "\(purpose) \(path) cannot be read: \(systemMessage(errno))") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16384)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count == 0 { return bytes }
    guard count > 0 else { throw StartupError(usage: "\(purpose) \(path) cannot be read: \(systemMessage(errno))") }
    bytes.append(contentsOf: chunk[..<count])
    guard bytes.count <= 16 << 20 else { throw StartupError(usage: "\(purpose) \(path) is larger than 16 MiB") }
  }
}

/// The system's message for an error number, in lower case as the end of a sentence.
func systemMessage(_ number: CInt) -> String {
  // glibc's strerror is thread-safe since 2.32: its buffer is the thread's own.
  guard let text = strerror(number) else { return "error \(number)" }
  let message = String(cString: text)
  return message.prefix(1).lowercased() + message.dropFirst()
}
