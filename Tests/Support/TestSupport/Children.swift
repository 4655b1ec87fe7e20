import Glibc
import Synchronization

/// Programs that a test's process starts.
public enum Children {
  private static let starting = Mutex(())

  /// Starts a program by `start`, no two at the same time, and lets it inherit no file and no socket but those it is given.
  ///
  /// NIO's sockets are inherited otherwise, and a program that is left running would keep another test's port taken. So are the pipes by
  /// which Foundation learns that a program has ended: the end of one that is started meanwhile would not be seen before this one's.
  public static func start(_ start: () throws -> Void) rethrows {
    try starting.withLock { _ in
      keepDescriptors()
      try start()
    }
  }

  private static func keepDescriptors() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}
