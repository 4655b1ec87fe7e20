import Glibc

/// A file with the bound addresses for supervisors and tests: it exists exactly while the service is ready.
struct ReadyFile: Sendable {
  let path: String

  /// Removes the file of an earlier run, if there is one.
  func remove() { unlink(path) }

  /// Writes the addresses atomically.
  func write(rpc: HostPort, admin: HostPort) throws(StartupError) {
    let text = "{\"rpc\":\"\(rpc)\",\"admin\":\"\(admin)\",\"pid\":\(getpid())}\n"
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(errno) }
    let count = text.utf8.count
    let written = Glibc.write(descriptor, text, count)
    close(descriptor)
    guard written == count, rename(temporary, path) == 0 else {
      let reason = errno
      unlink(temporary)
      throw failure(reason)
    }
  }

  private func failure(_ reason: CInt) -> StartupError {
    StartupError(failure: "the ready file (ready-file) \(path) cannot be written: \(systemMessage(reason))")
  }
}
