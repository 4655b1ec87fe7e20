/// The messages of a stream, in order, as they come in.
///
/// It can be read once, by one task at a time. A reader that stays too far behind loses the stream: messages wait for it up to a number of
/// bytes, and beyond that the call fails with RESOURCE_EXHAUSTED, because waiting for one reader would stop every other call of the
/// connection.
public struct MessageStream<Message: Sendable>: AsyncSequence, Sendable {
  /// What the stream carries.
  public typealias Element = Message
  /// How the call failed. CANCELLED when the peer went away, or the reading task was cancelled.
  public typealias Failure = Status

  let mailbox: Mailbox<Message>

  /// Takes messages off the stream.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Mailbox<Message>

    /// The next message; `nil` once the peer has sent its last.
    public mutating func next() async throws(Status) -> Message? {
      try await mailbox.next(isolation: nil)
    }

    /// The same, without leaving the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Status) -> Message? {
      try await mailbox.next(isolation: actor)
    }
  }

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}
