import CAllocator
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Gives memory back to the system that the process has freed: the allocator would keep it, and a service that many clients filled once
/// would be large ever after. From any thread.
final class FreedMemory: Sendable {
  private struct State {
    /// The fewest bytes that were resident after giving back; what the process has at first is its own.
    var least: Int
    /// Looks that are left out.
    var rests = 0
    /// How many were left out after the last time.
    var lastRests = 0
  }

  private let state: Mutex<State>
  private let resident: @Sendable () -> Int
  private let release: @Sendable () -> Void

  /// How often there is a look. Giving back takes the allocator milliseconds, in which a thread that wants memory may wait.
  static let pause = TimeAmount.seconds(10)
  /// The most looks that are left out while nothing is freed by them.
  private static let maxRests = 15
  /// Bytes whose return is worth the time.
  private static let worthwhile = 1 << 20

  /// - Parameters:
  ///   - resident: the bytes that the process has in memory.
  ///   - release: gives back whole pages that are free.
  init(
    resident: @escaping @Sendable () -> Int = FreedMemory.residentBytes,
    release: @escaping @Sendable () -> Void = { malloc_trim(0) }
  ) {
    self.resident = resident
    self.release = release
    state = Mutex(State(least: resident()))
  }

  /// Looks on a thread for blocking work, every ten seconds until the task is cancelled.
  func lookRepeatedly(on loop: any EventLoop) -> RepeatedTask {
    loop.scheduleRepeatedTask(initialDelay: Self.pause, delay: Self.pause) { _ in
      NIOThreadPool.singleton.submit { _ in self.look() }
    }
  }

  /// Gives back what is free when the process is larger than it has been, whatever became of it since: what is freed stays resident.
  ///
  /// While that frees nothing, because all of it is in use, more and more looks are left out.
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

  /// Fixes two limits of glibc's allocator for the whole process. Pieces of more than 1 MiB are mapped one by one, and go back to the system
  /// when they are freed; an arena, of which each event loop has one, keeps 128 KiB at its end. Otherwise glibc raises both by what the process
  /// frees, up to 32 MiB and 64 MiB, and each arena keeps as much for good.
  static func limitAllocator() {
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
    mallopt(M_TRIM_THRESHOLD, 128 << 10)
  }

  /// What `/proc/self/statm` says in pages; 0 where it cannot be read.
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
