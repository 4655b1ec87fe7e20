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
      leaveRoom()
      try start()
    }
  }

  /// Lets memory follow the buffer in which Foundation is about to list this process's descriptors.
  ///
  /// It copies 256 bytes for each entry, however short, and with more than 1,300 descriptors the last ones are at the buffer's end: where
  /// the thread's heap ended just there, the copy read beyond it and the whole test run crashed.
  private static func leaveRoom() {
    free(malloc(bytesOfRoom))
  }

  /// Twice a directory's buffer, and less than what `free` gives back to the system.
  private static let bytesOfRoom = 65_536

  private static let offsetOfName = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0

  private static func keepDescriptors() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = UnsafeRawPointer(entry).advanced(by: offsetOfName).assumingMemoryBound(to: CChar.self)
      guard let descriptor = Int32(String(cString: name)), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}
