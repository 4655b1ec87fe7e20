import ProtobufC

/// Sends the messages of a stream.
///
/// Sending waits while the peer does not read what was sent before, so that a fast sender holds no more than a burst in
/// memory. Several tasks may send; ordering their messages is then up to them.
public struct MessageWriter<Message: Sendable>: Sendable {
  let outlet: any StreamOutlet
  let codec: MessageCodec<Message>

  package init(outlet: any StreamOutlet, codec: MessageCodec<Message>) {
    self.outlet = outlet
    self.codec = codec
  }

  /// Sends one message, and returns when there is room for another.
  ///
  /// - Throws: the status of the call, when it has ended: CANCELLED when the connection was lost or this task was
  ///   cancelled while it waited, DEADLINE_EXCEEDED, or the peer's own status. RESOURCE_EXHAUSTED for a message beyond
  ///   4 MiB, which ends the call.
  public func send(_ message: Message) async throws(Status) {
    guard outlet.isOnLoop else { return try await sendFromElsewhere(message) }
    while !outlet.isReady { try await waitForRoom() }
    try outlet.send { codec.pack(message, $0) }
    if !outlet.hasRoom { try await waitForRoom() }
  }

  /// Makes a message once there is room to send it, and sends it. For parts of a larger source: as long as the peer
  /// does not read the parts before, the next is not loaded.
  ///
  /// - Parameters:
  ///   - bytes: the approximate length of the message.
  ///   - make: makes the message.
  /// - Throws: what `make` throws, and what ``send(_:)`` does.
  public func send(about bytes: Int, _ make: () async throws -> Message) async throws {
    while try await !keepRoom(for: bytes) { try await waitForRoom() }
    let outlet = outlet
    let message: Message
    do { message = try await make() } catch {
      await onLoop { outlet.release(bytes) }
      throw error
    }
    let codec = codec
    try await onLoop {
      Result { () throws(Status) in
        try outlet.release(bytes) { () throws(Status) in try outlet.send { codec.pack(message, $0) } }
      }
    }.get()
  }

  private func keepRoom(for bytes: Int) async throws(Status) -> Bool {
    let outlet = outlet
    return try await onLoop {
      Result { () throws(Status) in
        // Throws the status that ended the call.
        if outlet.isEnded { try outlet.send { _ in .bytes([]) } }
        return outlet.reserve(bytes)
      }
    }.get()
  }

  private func onLoop<R: Sendable>(_ act: @escaping @Sendable () -> R) async -> R {
    if outlet.isOnLoop { return act() }
    return await withUnsafeContinuation { (continuation: UnsafeContinuation<R, Never>) in
      outlet.execute { continuation.resume(returning: act()) }
    }
  }

  private func sendFromElsewhere(_ message: Message) async throws(Status) {
    while true {
      let outcome = await withUnsafeContinuation { (continuation: UnsafeContinuation<Result<Sending, Status>, Never>) in
        outlet.execute {
          continuation.resume(returning: Result { () throws(Status) in try sendOnLoop(message) })
        }
      }
      switch try outcome.get() {
      case .sent: return
      case .sentTheLast: return try await waitForRoom()
      case .mustWait: try await waitForRoom()
      }
    }
  }

  /// The result of sending a message from another thread.
  private enum Sending {
    case sent
    /// The message was sent, and there is no room for another.
    case sentTheLast
    case mustWait
  }

  private func sendOnLoop(_ message: Message) throws(Status) -> Sending {
    guard outlet.isReady else { return .mustWait }
    try outlet.send { codec.pack(message, $0) }
    return outlet.hasRoom ? .sent : .sentTheLast
  }

  private func waitForRoom() async throws(Status) {
    let sender = WaitingSender(streamID: outlet.streamID)
    await withTaskCancellationHandler {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        onLoop { outlet in
          // The end of the call released the waiting senders before this one arrived.
          if outlet.isEnded { continuation.resume() } else { outlet.wait(sender, continuation) }
        }
      }
    } onCancel: {
      // Through the loop even when on it: the sender must have begun to wait.
      outlet.execute { outlet.release(sender) }
    }
    if Task.isCancelled { throw Status(.cancelled, "The task that writes the stream was cancelled") }
  }

  private func onLoop(_ act: @escaping @Sendable (any StreamOutlet) -> Void) {
    let outlet = outlet
    if outlet.isOnLoop { act(outlet) } else { outlet.execute { act(outlet) } }
  }
}

/// Sends the messages of a client's stream.
public struct RequestWriter<Message: Sendable>: Sendable {
  let writer: MessageWriter<Message>
  let close: @Sendable () -> Void

  package init(writer: MessageWriter<Message>, close: @escaping @Sendable () -> Void) {
    self.writer = writer
    self.close = close
  }

  /// Sends one message, as ``MessageWriter/send(_:)``.
  ///
  /// - Throws: FAILED_PRECONDITION after ``finish()``, which leaves the call as it is.
  public func send(_ message: Message) async throws(Status) {
    try await writer.send(message)
  }

  /// Ends the client's side of the stream. Later calls do nothing.
  public func finish() {
    close()
  }
}
