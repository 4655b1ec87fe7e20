/// The life of a call on the server, from its request until its handler has returned. A state machine without I/O.
///
/// Its owner reports what happens and does what is returned:
/// ```
/// awaitingToken ──> running ──> ended
/// ```
/// A call may end in every state, answered or abandoned. Its handler may still run then, and the call keeps its place until that has
/// returned: it is still work for the server.
struct CallLife {
  /// What the call's handler does.
  enum Work: Equatable {
    /// It has not begun, or has returned.
    case none
    /// It has begun and has not waited yet.
    case begun
    /// It has waited, and cancelling the task makes it return.
    case waiting(Task<Void, Never>)
  }

  enum State: Equatable {
    /// The first message is to come, whose field of this number holds the caller's token.
    case awaitingToken(field: UInt32)
    case running(Work)
    /// It was answered or abandoned; its handler may not have returned.
    case ended(isWorking: Bool)
  }

  private(set) var state: State

  /// - Parameter tokenField: the field of the first message that holds the caller's token; `nil` where the request has it.
  init(tokenField: UInt32?) {
    state = tokenField.map { .awaitingToken(field: $0) } ?? .running(.none)
  }

  // MARK: What it is

  /// The field of the first message that holds the caller's token, while that message is awaited.
  var awaitedField: UInt32? {
    if case .awaitingToken(let field) = state { field } else { nil }
  }

  /// Whether the call was answered or abandoned.
  var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// The handler's task while it waits and the call has not ended.
  var task: Task<Void, Never>? {
    if case .running(.waiting(let task)) = state { task } else { nil }
  }

  // MARK: What happens

  /// The first message has come.
  mutating func tokenCame() {
    if case .awaitingToken = state { state = .running(.none) }
  }

  /// The handler begins.
  mutating func workBegan() {
    switch state {
    case .awaitingToken, .running: state = .running(.begun)
    case .ended: break
    }
  }

  /// The handler waits for the first time, or has returned without.
  ///
  /// - Returns: whether the task is to be cancelled, as the call has ended.
  mutating func handlerWaits(in task: Task<Void, Never>) -> Bool {
    switch state {
    case .running(.begun):
      state = .running(.waiting(task))
      return false
    case .ended(let isWorking): return isWorking
    case .awaitingToken, .running: return false
    }
  }

  /// The handler has returned.
  ///
  /// - Returns: whether what the call took is to be released.
  mutating func workEnded() -> Bool {
    switch state {
    case .awaitingToken: return false
    case .running:
      state = .running(.none)
      return false
    case .ended(let isWorking):
      state = .ended(isWorking: false)
      return isWorking
    }
  }

  /// The call is answered or abandoned.
  ///
  /// - Returns: whether what it took is to be released, as no handler works for it; false for one that had ended before.
  mutating func end() -> Bool {
    switch state {
    case .awaitingToken, .running(.none):
      state = .ended(isWorking: false)
      return true
    case .running:
      state = .ended(isWorking: true)
      return false
    case .ended: return false
    }
  }
}
