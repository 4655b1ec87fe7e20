import Synchronization

/// The memory that files have which are being uploaded, decoded or stored: so many bytes in all, counted as they come.
final class UploadRoom: Sendable {
  private let capacity: Int
  private let taken = Mutex(0)

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether so many more bytes may be held; they are from then on.
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
