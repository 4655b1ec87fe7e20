import Backoff
import Identifiers
import Synchronization

/// Another change of the user's records is under way for so long that this one is given up; nothing was done.
package struct RecordsBusy: Error, Sendable {}

/// Another replica changes the user's records now: the transaction ends, and comes again.
struct RecordsLocked: Error {}

/// Has changes of one user's records follow each other before any of them takes a connection: however many a user sends, one of them
/// has a connection and the others wait here.
final class UserTurns: Sendable {
  private struct Line {
    var waiting: [Ticket] = []
  }

  /// An entry for each user whose turn it is.
  private let lines = Mutex<[UserID: Line]>([:])

  /// Changes of one user that may wait.
  static let maxWaiting = 32
  /// Between two attempts while another replica changes the user's records: 20 to 100 ms, however many there were.
  private static let pauses = Backoff(first: .milliseconds(60), max: .milliseconds(60), factor: 1, jitter: 2.0 / 3)

  init() {}

  /// Runs `body` when no other one of this user runs, and again after `RecordsLocked`.
  ///
  /// - Parameter patience: how long it may have to wait.
  /// - Throws: `RecordsBusy`, or what `body` throws.
  nonisolated(nonsending) func run<Result>(
    for user: UserID, patience: Duration, _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let end = ContinuousClock.now + patience
    var pauses = Self.pauses
    try await enter(user, patience)
    defer { leave(user) }
    while true {
      do { return try await body() } catch is RecordsLocked {}
      guard ContinuousClock.now < end else { throw RecordsBusy() }
      try await Task.sleep(for: pauses.next())
    }
  }

  private nonisolated(nonsending) func enter(_ user: UserID, _ patience: Duration) async throws {
    let ticket = try lines.withLock { lines throws(RecordsBusy) -> Ticket? in
      guard var line = lines[user] else {
        lines[user] = Line()
        return nil
      }
      guard line.waiting.count < Self.maxWaiting else { throw RecordsBusy() }
      let ticket = Ticket()
      line.waiting.append(ticket)
      lines[user] = line
      return ticket
    }
    guard let ticket else { return }
    do { try await ticket.turn(within: patience) } catch {
      // Its turn may have come at the same moment.
      if ticket.isTaken { leave(user) }
      lines.withLock { $0[user]?.waiting.removeAll { $0 === ticket } }
      throw error
    }
  }

  private func leave(_ user: UserID) {
    lines.withLock { lines in
      while let next = lines[user]?.waiting.first {
        lines[user]?.waiting.removeFirst()
        if next.take() { return }
      }
      lines[user] = nil
    }
  }
}

/// A place in a line: its turn comes once, or it is given up.
private final class Ticket: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, any Error>)
    case taken
    case over(any Error)
  }

  private let state = Mutex(State.new)

  var isTaken: Bool { state.withLock { if case .taken = $0 { true } else { false } } }

  func turn(within patience: Duration) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await self.turn()
        return true
      }
      group.addTask {
        try await Task.sleep(for: patience)
        self.giveUp(RecordsBusy())
        return false
      }
      defer { group.cancelAll() }
      while let isTurn = try await group.next() { if isTurn { return } }
    }
  }

  private func turn() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result = state.withLock { state -> Result<Void, any Error>? in
          switch state {
          case .new:
            state = .waiting(continuation)
            return nil
          case .over(let error): return .failure(error)
          case .waiting, .taken: return .success(())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      giveUp(CancellationError())
    }
  }

  /// False for one that was given up.
  func take() -> Bool {
    let (isTaken, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, any Error>?) in
      switch state {
      case .new:
        state = .taken
        return (true, nil)
      case .waiting(let continuation):
        state = .taken
        return (true, continuation)
      case .taken, .over: return (false, nil)
      }
    }
    continuation?.resume()
    return isTaken
  }

  private func giveUp(_ error: any Error) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      switch state {
      case .new:
        state = .over(error)
        return nil
      case .waiting(let continuation):
        state = .over(error)
        return continuation
      case .taken, .over: return nil
      }
    }
    continuation?.resume(throwing: error)
  }
}
