import Foundation

/// Nanoseconds of the monotonic clock.
@inline(__always)
public func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// What a process has used so far.
public struct ProcessUsage {
  let pid: Int32

  /// The process with this id, which need not be our own.
  public init(pid: Int32) {
    self.pid = pid
  }

  /// User and system time, in seconds, in the kernel's steps of 10 ms; 0 when there is no such process.
  public var cpuSeconds: Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let nameEnd = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[nameEnd...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
