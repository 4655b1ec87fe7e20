import Glibc

/// What a test's own process has open.
public enum Descriptors {
  /// Keeps every file and socket that is open now from the programs that are started next.
  ///
  /// NIO's sockets are inherited: a program that a test leaves running would keep the port of another test taken.
  public static func keepFromChildren() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}
