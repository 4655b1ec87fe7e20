/// The messages of a stream, in the order of their arrival.
///
/// It can be read once, by one task at a time. A reader that is too slow loses the stream: messages wait for it up to a
/// number of bytes, and beyond that the call fails with RESOURCE_EXHAUSTED, because waiting for one reader would stop
/// every other call of the connection.
public struct MessageStream<Message: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Message
  /// How the call failed. CANCELLED when the connection was lost, or the reading task was cancelled.
  public typealias Failure = Status

  let mailbox: Mailbox<Message>

  @usableFromInline
  package init(mailbox: Mailbox<Message>) { self.mailbox = mailbox }

  /// Reads messages off the stream.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Mailbox<Message>

    /// The next message; `nil` after the peer's last.
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
