import CAllocator
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Gives memory back to the system once a server holds far less than it did: the allocator would keep it for good, and a service that many
/// clients filled once would be large ever after. From any thread.
final class FreedMemory: Sendable {
  private struct State {
    /// The most that was held since memory was given back last.
    var most = 0
    var nextRelease = NIODeadline.uptimeNanoseconds(0)
  }

  private let state = Mutex(State())
  private let release: @Sendable (_ isMuch: Bool) -> Void

  /// Bytes that are not worth a look. Of what is held this sees a part only: what calls take in passing is not counted.
  private static let least = 1 << 18
  /// Bytes that are worth the allocator's time, whatever the process has in memory.
  private static let much = 16 << 20
  /// The allocator looks at all its memory, for milliseconds, in which whoever wants some of it waits.
  private static let pause = TimeAmount.seconds(10)

  /// - Parameter release: gives back what is free; where that is not much, only if the process has grown.
  init(_ release: @escaping @Sendable (_ isMuch: Bool) -> Void = FreedMemory.trim) {
    self.release = release
  }

  /// Takes note of how much is held, and gives back what is free when that is less than half of what was.
  ///
  /// - Returns: whether another look is of use although nothing changes.
  @discardableResult
  func look(_ held: Int, at now: NIODeadline) -> Bool {
    let (freed, isOpen) = state.withLock { state -> (Int, Bool) in
      state.most = max(state.most, held)
      let freed = state.most - held
      guard freed >= Self.least, held < state.most / 2 else { return (0, false) }
      guard now >= state.nextRelease else { return (0, true) }
      state.most = held
      state.nextRelease = now + Self.pause
      return (freed, false)
    }
    if freed > 0 { release(freed >= Self.much) }
    return isOpen
  }

  /// Bytes that were resident after the last time; 0 before the first.
  private static let resident = Atomic(0)
  /// Growth in bytes that is worth the allocator's time.
  private static let worthwhile = 2 << 20

  @Sendable
  private static func trim(_ isMuch: Bool) {
    NIOThreadPool.singleton.submit { _ in
      guard isMuch || residentBytes() > resident.load(ordering: .relaxed) + worthwhile else { return }
      malloc_trim(0)
      resident.store(residentBytes(), ordering: .relaxed)
    }
  }

  /// What the process has in memory, as `/proc/self/statm` says in pages; more than anything where it cannot be read.
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "re") else { return .max }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return .max }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return .max }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
