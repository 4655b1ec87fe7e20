/// Wakes one task; signals sent while it is awake count as one.
struct AsyncSignal: Sendable {
  private let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func send() { ringer.yield() }

  /// Returns at the next signal, or at once when there was one since the last.
  ///
  /// - Throws: when the task is cancelled.
  func wait() async throws {
    var iterator = rings.makeAsyncIterator()
    guard await iterator.next() != nil else { throw CancellationError() }
  }
}
