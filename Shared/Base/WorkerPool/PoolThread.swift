/// Proof that code runs on no event loop. What takes longer the more a client has sent or stored asks for it as `on:`, and work on a
/// ``BoundedPool`` is given one: the compiler refuses a call from anywhere else.
///
/// It can be neither copied nor sent, so that it ends with the work.
public struct PoolThread: ~Copyable {
  init() {}

  /// For a thread that no event loop has: a test's, or a tool's of the tests. `make lint-locks` refuses it elsewhere.
  public static func assumed() -> PoolThread { PoolThread() }
}

@available(*, unavailable)
extension PoolThread: Sendable {}
