import Glibc

/// Prevents a second `tandem up` in a folder; the kernel releases the lock when the process ends in any way.
final class FolderLock {
  private let descriptor: CInt

  /// - Throws: an error that names the process that holds the lock.
  init(_ workspace: Workspace) throws(Complaint) {
    let descriptor = open(workspace.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Complaint("\(workspace.lock) cannot be opened: \(systemMessage())") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      let holder = Self.holder(workspace).map { "process \($0)" } ?? "another process"
      throw Complaint(
        "the suite is already up from \(Paths.shown(workspace.home)), by \(holder): stop it with Ctrl-C there, "
          + "or run a second one by --home FOLDER --port-offset 100")
    }
    self.descriptor = descriptor
    ftruncate(descriptor, 0)
    let text = "\(getpid())\n"
    _ = Glibc.write(descriptor, text, text.utf8.count)
  }

  deinit { close(descriptor) }

  /// The process that holds the lock; `nil` if there is none.
  static func holder(_ workspace: Workspace) -> Int? {
    let descriptor = open(workspace.lock, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return Files.text(workspace.lock).flatMap { Int($0.prefix { $0 != "\n" }) }
  }
}
