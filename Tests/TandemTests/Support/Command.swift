import Foundation
import Glibc

/// A program that ran to its end, or still runs, with what it wrote.
///
/// `@unchecked Sendable`: used by the one test that started it, or, shared by several, by the scope that started it.
final class Command: @unchecked Sendable {
  let pid: pid_t
  private let output: CInt
  private let errors: ErrorOutput
  private var kept: CInt?
  private var outputText = ""
  private var status: CInt?

  /// The folder of the built programs: that of the program that runs the tests.
  static let folder: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" }
  }()

  /// Starts `tandem` with the arguments, away from any terminal.
  static func tandem(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws -> Command
  {
    try Command("\(folder)/tandem", arguments, environment: environment, input: input)
  }

  /// - Parameter input: all of its standard input; `nil` for none, where ``say(_:)`` gives it line by line.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    isTalkedTo: Bool = false
  ) throws {
    let (out, err, inn) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inn.0, 0)
    posix_spawn_file_actions_adddup2(&actions, out.1, 1)
    posix_spawn_file_actions_adddup2(&actions, err.1, 2)
    // Tests of all suites run in this process: the sockets and pipes of others would live on in the program.
    // Closing what is not open is no error as long as the number could be one.
    for descriptor in 3..<CInt(min(sysconf(CInt(_SC_OPEN_MAX)), 16_384)) {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var variables = ["PATH=\(getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")"]
    variables += environment.map { "\($0.key)=\($0.value)" }
    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program, &actions, nil, &argv, &envp)
    for end in [inn.0, out.1, err.1] { close(end) }
    if let input { _ = Glibc.write(inn.1, input, input.utf8.count) }
    if isTalkedTo { kept = inn.1 } else { close(inn.1) }
    guard result == 0 else { throw Failure(text: "\(program): \(String(cString: strerror(result)))") }
    (self.pid, output, errors) = (pid, out.0, ErrorOutput(err.0))
  }

  struct Failure: Error { let text: String }

  deinit {
    endInput()
    close(output)
  }

  private static func pipe() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    // Programs that others start meanwhile, in whatever way, must not hold an end: a reader would wait for ever for the pipe's end.
    guard Glibc.pipe(&ends) == 0 else { throw Failure(text: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// What it wrote by its end, and its exit status (128 and the signal when it was killed).
  func finish() -> (output: String, errors: String, status: Int32) {
    while let more = Self.readSome(output) { outputText += more }
    return (outputText, errors.whole, waitForEnd())
  }

  func waitForEnd() -> Int32 {
    if let status { return status }
    var raw: CInt = 0
    while waitpid(pid, &raw, 0) < 0 && errno == EINTR {}
    let value = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    status = value
    return value
  }

  /// Writes a line to its standard input.
  func say(_ line: String) {
    if let kept { _ = Glibc.write(kept, line + "\n", line.utf8.count + 1) }
  }

  /// Closes its standard input.
  func endInput() {
    if let kept { close(kept) }
    kept = nil
  }

  /// The next line of its standard output; `nil` when it ends, or nothing comes for so many seconds.
  func outputLine(within seconds: Int32 = 10) -> String? {
    while true {
      if let end = outputText.firstIndex(of: "\n") {
        defer { outputText.removeSubrange(...end) }
        return String(outputText[..<end])
      }
      var slot = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&slot, 1, seconds * 1_000) > 0, let more = Self.readSome(output) else { return nil }
      outputText += more
    }
  }

  func signal(_ number: CInt) { kill(pid, number) }

  /// Waits until standard error contains the text; `false` when the program ends or the time is over first.
  func waits(for text: String, atMost limit: Duration) -> Bool { errors.waits(for: text, atMost: limit) }

  /// Everything on standard error so far.
  var errorsSoFar: String { errors.soFar }

  fileprivate static func readSome(_ descriptor: CInt) -> String? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &chunk, chunk.count)
    return count > 0 ? String(decoding: chunk[..<count], as: UTF8.self) : nil
  }
}

/// What a program writes to standard error, read by a thread from its start to its end: with a full pipe the program would stop.
///
/// `@unchecked Sendable`: everything mutable is touched with the condition's lock held.
private final class ErrorOutput: @unchecked Sendable {
  private let changed = NSCondition()
  private var text = ""
  private var hasEnded = false

  /// - Parameter descriptor: closed at the end.
  init(_ descriptor: CInt) {
    Thread.detachNewThread { [self] in
      while let more = Command.readSome(descriptor) { change { text += more } }
      close(descriptor)
      change { hasEnded = true }
    }
  }

  private func change(_ act: () -> Void) {
    changed.lock()
    act()
    changed.broadcast()
    changed.unlock()
  }

  private func locked<R>(_ body: () -> R) -> R {
    changed.lock()
    defer { changed.unlock() }
    return body()
  }

  var soFar: String { locked { text } }

  var whole: String {
    locked {
      while !hasEnded { changed.wait() }
      return text
    }
  }

  func waits(for wanted: String, atMost limit: Duration) -> Bool {
    let deadline = Date(timeIntervalSinceNow: limit / .seconds(1))
    return locked {
      while !text.contains(wanted) {
        guard !hasEnded, changed.wait(until: deadline) else { return text.contains(wanted) }
      }
      return true
    }
  }
}

/// A folder that is removed with its content at the end of the test.
final class Scratch: Sendable {
  let path: String

  init(in folder: String = "/tmp") throws {
    var template = Array("\(folder)/tandem-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Command.Failure(text: "no temporary folder") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o755)
  }

  deinit {
    // Started by hand, as a deinit cannot report an error.
    do { _ = try Command("/bin/rm", ["-rf", path]).finish() } catch { print("\(path) stays: \(error)") }
  }

  func write(_ text: String, to name: String) throws {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw Command.Failure(text: name) }
  }
}
