import Glibc

/// Why a command fails: one line that says what to do, and the exit status.
struct Complaint: Error, Equatable, CustomStringConvertible {
  /// What is wrong and how to correct it; without a line break at the end.
  let description: String
  let exitStatus: Int32

  /// A usage error: invalid or missing arguments.
  init(usage text: String) {
    description = text
    exitStatus = 2
  }

  /// Any other error.
  init(_ text: String, exitStatus: Int32 = 1) {
    description = text
    self.exitStatus = exitStatus
  }
}

/// The system's message for an error number.
func systemMessage(_ number: CInt = errno) -> String {
  // glibc's strerror is thread-safe since 2.32: its buffer is the thread's own.
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// Writes a message for the user to standard error; data goes to standard output.
func tell(_ line: String) {
  write(line + "\n", to: STDERR_FILENO)
}

/// Writes the whole text, waiting for a slow reader. A closed pipe is not an error. Data that cannot be written, as on a full disk, ends
/// the process with status 1.
func write(_ text: String, to descriptor: CInt) {
  guard !isRead(writing: text, to: descriptor), errno != EPIPE, descriptor == STDOUT_FILENO else { return }
  tell("tandem: standard output cannot be written: \(systemMessage())")
  exit(1)
}

/// Writes the whole text, waiting for a slow reader; returns whether the reader is still there.
func isRead(writing text: String, to descriptor: CInt) -> Bool {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { continue }
      guard errno == EAGAIN else { return false }
      var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&slot, 1, -1)
      continue
    }
    bytes = bytes.dropFirst(count)
  }
  return true
}

/// The environment variable, unless it is unset or empty.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
