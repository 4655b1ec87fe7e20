import Glibc

/// A file that tells supervisors and tests the real addresses: it is there exactly while the service is ready.
struct ReadyFile: Sendable {
  let path: String

  /// Removes what an earlier run left behind; a missing file is fine.
  func remove() { unlink(path) }

  /// Writes the addresses so that a reader finds all of it or nothing.
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
