import Foundation
import Testing

/// A faked clock of a process, by libfaketime: the time of day alone, as when an operator sets it.
///
/// Timers stay true: libfaketime moves those of `timerfd_settime` too, whichever clock they go by, so that a program's sleeps end at once
/// and again and again while its clock is ahead, or never.
public struct FakeTime: Sendable {
  private let file: String
  private let libraries: String

  /// Shows the true time at first.
  ///
  /// - Parameter folder: the folder of the file with the time; the processes must be able to read it.
  public init(in folder: String) throws {
    file = "\(folder)/time"
    let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/faketime" }
    let clocks = try #require(
      folders.map { "\($0)/libfaketimeMT.so.1" }.first { FileManager.default.fileExists(atPath: $0) },
      "Debian's package libfaketime is missing")
    libraries = "\(try Self.trueTimers(in: folder)):\(clocks)"
    try set(offset: "+0")
  }

  /// What the process needs in its environment.
  public var environment: [String: String] {
    [
      "LD_PRELOAD": libraries, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
  }

  /// Compiles a library with the system's own `timerfd_settime`, which comes before libfaketime's.
  private static func trueTimers(in folder: String) throws -> String {
    let (source, library) = ("\(folder)/timers.c", "\(folder)/timers.so")
    try Data(
      """
      #include <sys/syscall.h>
      #include <sys/timerfd.h>
      long syscall(long, ...);
      int timerfd_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *last) {
        return (int)syscall(SYS_timerfd_settime, timer, flags, next, last);
      }
      """.utf8
    ).write(to: URL(fileURLWithPath: source))
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, source]
    try Children.start { try compiler.run() }
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "clang, which comes with Swift, did not compile \(source)")
    // Processes of other users load it, a database server for one.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: library)
    return library
  }

  /// Sets the clock to the true time plus `offset`, `+2h` for example.
  public func set(offset: String) throws {
    // Processes of other users read it, a database server for one.
    let new = "\(file).new"
    try Data("\(offset)\n".utf8).write(to: URL(fileURLWithPath: new))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new)
    try #require(rename(new, file) == 0)
  }
}
