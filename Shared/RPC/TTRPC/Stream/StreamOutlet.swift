import ProtobufC

/// The sending side of a stream, for its writer. On the call's event loop, except for ``isOnLoop``, ``execute(_:)`` and
/// constants.
@usableFromInline
package protocol StreamOutlet: AnyObject, Sendable {
  var streamID: UInt32 { get }
  /// Whether this thread runs the call's event loop.
  var isOnLoop: Bool { get }
  /// Runs `work` on the call's event loop, later.
  func execute(_ work: @escaping @Sendable () -> Void)

  /// Whether the call has ended.
  var isEnded: Bool { get }
  /// Whether a sender may queue one more message now.
  var mayQueue: Bool { get }
  /// Whether a sender may continue at once.
  var hasRoom: Bool { get }

  /// Queues one message.
  ///
  /// - Throws: the status that ended the call.
  func send(_ pack: (Arena) -> OutgoingMessage) throws(Status)

  /// Reserves room for a message of about `bytes` that is about to be made; false where there is none.
  func reserve(_ bytes: Int) -> Bool
  /// Releases a reservation, for what `queue` queues in its place.
  func release(_ bytes: Int, _ queue: () throws(Status) -> Void) throws(Status)
  /// Releases a reservation in whose place nothing comes.
  func release(_ bytes: Int)

  /// Suspends a sender until there is room again, or until it is released.
  func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>)
  /// Releases a sender that was cancelled.
  func release(_ sender: WaitingSender)
}

extension StreamOutlet {
  /// Whether ``send(_:)`` is worth trying now: it queues the message, or throws the status that ended the call.
  var isReady: Bool { isEnded || mayQueue }
}

/// A task that waits to send on a stream.
///
/// `@unchecked Sendable`: `streamID` never changes. Everything else is reached by `wait`, `release` and `isReleased` alone, which only a
/// ``StreamOutlet`` and the output of its connection call, on the event loop of that connection: a writer gets there by `onLoop` and `execute`.
@usableFromInline
package final class WaitingSender: @unchecked Sendable {
  package let streamID: UInt32
  private var continuation: UnsafeContinuation<Void, Never>?
  package private(set) var isReleased = false

  init(streamID: UInt32) {
    self.streamID = streamID
  }

  package func wait(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }

  package func release() {
    isReleased = true
    continuation?.resume()
    continuation = nil
  }
}
