import CAllocator
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Gives memory back to the system that the process has freed: the allocator would keep it, and a service that many clients filled once
/// would be large ever after. From any thread.
final class FreedMemory: Sendable {
  /// Bytes resident after the last time, 0 before the first.
  private let usual = Atomic(0)
  private let resident: @Sendable () -> Int
  private let release: @Sendable () -> Void

  /// How often there is a look. Giving back takes the allocator milliseconds, in which whoever wants memory may wait.
  static let pause = TimeAmount.seconds(10)
  /// Bytes of growth that are worth it.
  private static let worthwhile = 2 << 20

  /// - Parameters:
  ///   - resident: the bytes that the process has in memory.
  ///   - release: gives back whole pages that are free.
  init(
    resident: @escaping @Sendable () -> Int = FreedMemory.residentBytes,
    release: @escaping @Sendable () -> Void = { malloc_trim(0) }
  ) {
    self.resident = resident
    self.release = release
  }

  /// Looks on a thread for blocking work, every ten seconds until the task is cancelled.
  func lookRepeatedly(on loop: any EventLoop) -> RepeatedTask {
    Self.limitAllocator()
    return loop.scheduleRepeatedTask(initialDelay: Self.pause, delay: Self.pause) { _ in
      NIOThreadPool.singleton.submit { _ in self.look() }
    }
  }

  /// Gives back what is free when the process has grown since the last time.
  func look() {
    let now = resident()
    guard now > usual.load(ordering: .relaxed) + Self.worthwhile else { return }
    release()
    usual.store(resident(), ordering: .relaxed)
  }

  /// Fixes what glibc would otherwise raise by what the process frees, up to 32 MiB and 64 MiB: how large a piece is mapped by itself, and so
  /// goes back as soon as it is freed, and how much each arena, of which every event loop has one, keeps free at its end.
  private static func limitAllocator() {
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
    mallopt(M_TRIM_THRESHOLD, 512 << 10)
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
