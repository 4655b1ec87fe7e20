import Synchronization

/// The memory for files that are being uploaded, decoded or stored: bounded in all, counted as bytes arrive.
final class UploadRoom: Sendable {
  private let capacity: Int
  private let taken = Mutex(0)

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Reserves that many more bytes; false when they exceed the limit.
  func take(_ bytes: Int) -> Bool {
    taken.withLock { taken in
      guard taken + bytes <= capacity else { return false }
      taken += bytes
      return true
    }
  }

  func give(back bytes: Int) {
    taken.withLock { $0 -= bytes }
  }
}
