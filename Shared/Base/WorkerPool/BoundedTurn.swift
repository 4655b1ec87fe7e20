/// Proof that work occupies an event loop for a millisecond or two at most: what it reads is short, or it runs on a thread of a pool.
///
/// It can be neither copied nor sent, so that it ends with the work.
public struct BoundedTurn: ~Copyable {
  /// The most bytes that such work may read on an event loop: two milliseconds for JSON that is made of them and compressed.
  public static let maxLoopBytes = 64 << 10

  /// The most bytes that the work may read in one step.
  public let maxBytes: Int

  /// For an event loop.
  ///
  /// - Returns: `nil` where more than ``maxLoopBytes`` are to be read: that belongs on a pool.
  public init?(bytes: Int) {
    if bytes > Self.maxLoopBytes { return nil }
    maxBytes = Self.maxLoopBytes
  }

  /// For any number of bytes.
  public init(on thread: borrowing PoolThread) { maxBytes = .max }

  /// For a thread that no event loop has, as ``PoolThread/assumed()``.
  public static func assumed() -> BoundedTurn { BoundedTurn(on: .assumed()) }
}

@available(*, unavailable)
extension BoundedTurn: Sendable {}
