import CAllocator
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Returns freed memory to the system: the allocator would keep it, and a service that many clients filled once would
/// stay large. From any thread.
final class FreedMemory: Sendable {
  private struct State {
    /// The fewest bytes that were resident after a release; at first the process's own size.
    var least: Int
    /// Checks to be skipped.
    var rests = 0
    /// Checks that were skipped after the last release.
    var lastRests = 0
  }

  private let state: Mutex<State>
  private let resident: @Sendable () -> Int
  private let release: @Sendable () -> Void

  /// The interval of checks. A release takes the allocator milliseconds, in which a thread that allocates may wait.
  static let pause = TimeAmount.seconds(10)
  /// The most checks that are skipped while releases free nothing.
  private static let maxRests = 15
  /// Bytes that make a release worth its time.
  private static let worthwhile = 1 << 20

  /// - Parameters:
  ///   - resident: the process's resident bytes.
  ///   - release: returns free whole pages to the system.
  init(
    resident: @escaping @Sendable () -> Int = FreedMemory.residentBytes,
    release: @escaping @Sendable () -> Void = { malloc_trim(0) }
  ) {
    self.resident = resident
    self.release = release
    state = Mutex(State(least: resident()))
  }

  /// Checks on a thread for blocking work, every ten seconds until the task is cancelled.
  func lookRepeatedly(on loop: any EventLoop) -> RepeatedTask {
    loop.scheduleRepeatedTask(initialDelay: Self.pause, delay: Self.pause) { _ in
      NIOThreadPool.singleton.submit { _ in self.look() }
    }
  }

  /// Releases free memory when the process is larger than it has been, since freed memory stays resident.
  ///
  /// While releases free nothing, because all memory is in use, more and more checks are skipped.
  func look() {
    let before = resident()
    let isWorthwhile = state.withLock { state in
      if before <= state.least + Self.worthwhile { return false }
      if state.rests == 0 { return true }
      state.rests -= 1
      return false
    }
    guard isWorthwhile else { return }
    release()
    let after = resident()
    state.withLock { state in
      state.least = min(state.least, after)
      state.lastRests = before - after > Self.worthwhile ? 0 : min(max(1, 2 * state.lastRests), Self.maxRests)
      state.rests = state.lastRests
    }
  }

  /// Sets two limits of glibc's allocator for the whole process. Blocks of more than 1 MiB are mapped one by one, and
  /// go back to the system when they are freed; an arena, of which each event loop has one, keeps 128 KiB at its end.
  /// Otherwise glibc raises both by what the process frees, up to 32 MiB and 64 MiB, and each arena keeps as much for
  /// good.
  static func limitAllocator() {
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
    mallopt(M_TRIM_THRESHOLD, 128 << 10)
  }

  /// Resident bytes from `/proc/self/statm`, which counts pages; 0 where it cannot be read.
  @Sendable
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
