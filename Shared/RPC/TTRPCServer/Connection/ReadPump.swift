import NIOCore

/// How far a server's connection has got with what it read. A state machine without I/O.
///
/// ```
/// idle ──> handling ──> waiting ──> handling ──> idle
/// ```
/// While received bytes wait, the channel is not read, so that they stay bounded.
struct ReadPump {
  /// What the rest of a read waits for.
  enum Wait {
    /// The connection's next turn of the loop.
    case turn
    /// The client, which has not read the failures sent for what came before.
    case client
  }

  enum State: Equatable {
    /// All that was read has been handled.
    case idle
    /// The frames of a read are being handled; whether a failure was queued since it began.
    case handling(hasFailed: Bool)
    case waiting(ByteBuffer, for: Wait)
  }

  private(set) var state = State.idle
  /// Whether the channel asked to read, and was not let.
  private(set) var wantsRead = false

  // MARK: What it is

  var isHandling: Bool {
    if case .handling = state { true } else { false }
  }

  /// Whether received bytes wait.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  var isWaitingForTurn: Bool {
    if case .waiting(_, for: .turn) = state { true } else { false }
  }

  /// Whether a failure was queued since the read that is being handled began.
  var hasFailed: Bool {
    if case .handling(let hasFailed) = state { hasFailed } else { false }
  }

  /// Whether there is more to handle, or may be.
  var hasInput: Bool { wantsRead || isWaiting }

  // MARK: What happens

  /// The handling of a read begins.
  mutating func begin() { state = .handling(hasFailed: false) }

  /// A failure was queued.
  mutating func failed() {
    if isHandling { state = .handling(hasFailed: true) }
  }

  /// All of the read was handled.
  mutating func finish() { state = .idle }

  /// What was received has to wait, behind what waits already.
  mutating func hold(_ rest: ByteBuffer, for wait: Wait) {
    guard case .waiting(var all, let earlier) = state else {
      state = .waiting(rest, for: wait)
      return
    }
    // Released first, so that the buffer is not copied.
    state = .idle
    all.writeImmutableBuffer(rest)
    state = .waiting(all, for: earlier)
  }

  /// What waits is taken, to be handled or dropped.
  mutating func take() -> ByteBuffer? {
    guard case .waiting(let rest, _) = state else { return nil }
    state = .idle
    return rest
  }

  /// The channel asks to read; returns whether it may.
  mutating func mayRead(isWritable: Bool) -> Bool {
    if isWritable, !isWaiting { return true }
    wantsRead = true
    return false
  }

  /// Returns whether the read that the channel was not let is to be made now.
  mutating func mayReadOn(isWritable: Bool) -> Bool {
    guard case .idle = state, wantsRead, isWritable else { return false }
    wantsRead = false
    return true
  }
}
