import CAllocator
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
  private let release: @Sendable () -> Void

  /// Bytes that are not worth a look at all that is free.
  private static let least = 16 << 20
  /// The allocator looks at all its memory, for milliseconds, in which whoever wants some of it waits.
  private static let pause = TimeAmount.seconds(10)

  /// - Parameter release: gives back what is free.
  init(_ release: @escaping @Sendable () -> Void = FreedMemory.trim) {
    self.release = release
  }

  /// Takes note of how much is held, and gives back what is free when that is less than half of what was.
  ///
  /// - Returns: whether another look is of use although nothing changes.
  @discardableResult
  func look(_ held: Int, at now: NIODeadline) -> Bool {
    let (isDue, isOpen) = state.withLock { state in
      state.most = max(state.most, held)
      guard state.most - held >= Self.least, held < state.most / 2 else { return (false, false) }
      guard now >= state.nextRelease else { return (false, true) }
      state.most = held
      state.nextRelease = now + Self.pause
      return (true, false)
    }
    if isDue { release() }
    return isOpen
  }

  @Sendable
  private static func trim() {
    NIOThreadPool.singleton.submit { _ in malloc_trim(0) }
  }
}
