import Identifiers
import Synchronization
import TTRPC

/// Lets the searches of one user wait for each other, so that they leave connections for slow statements to others (S-1).
///
/// A search may take several slow statements, of which a replica runs a few at a time. Beyond what one user's app needs, searches wait in the
/// order in which they came; beyond that they are refused, as none of the answers is waited for by a person.
package final class SearchTurns: Sendable {
  /// The searches of a user that run at a time: one, and the next that replaces it while the user types.
  private static let maxRunning = 2
  /// The searches of a user that wait: a device or two that type.
  private static let maxWaiting = 14

  private struct Line {
    var running = 0
    var waiting: [(ticket: UInt64, turn: CheckedContinuation<Void, any Error>)] = []
  }

  private struct State {
    var nextTicket: UInt64 = 0
    var lines: [UserID: Line] = [:]
    /// Tickets of searches that were cancelled before they could wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Runs a search of a user in its turn.
  ///
  /// - Throws: RESOURCE_EXHAUSTED `TOO_MANY_SEARCHES`; `CancellationError` when the call ends while it waits; what `search` throws.
  package func run<Found>(for user: UserID, _ search: () async throws -> Found) async throws -> Found {
    try await take(user)
    defer { give(user) }
    return try await search()
  }

  private func take(_ user: UserID) async throws {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return .failure(CancellationError()) }
          var line = state.lines[user] ?? Line()
          defer { state.lines[user] = line }
          if line.running < Self.maxRunning {
            line.running += 1
            return .success(())
          }
          guard line.waiting.count < Self.maxWaiting else { return .failure(Status.tooManySearches) }
          line.waiting.append((ticket, continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let turn = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let place = state.lines[user]?.waiting.firstIndex(where: { $0.ticket == ticket }) else {
          state.cancelled.insert(ticket)
          return nil
        }
        return state.lines[user]?.waiting.remove(at: place).turn
      }
      turn?.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
  }

  private func give(_ user: UserID) {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard var line = state.lines[user] else { return nil }
      defer { state.lines[user] = line.running > 0 ? line : nil }
      // The place goes to the search that has waited longest.
      if !line.waiting.isEmpty { return line.waiting.removeFirst().turn }
      line.running -= 1
      return nil
    }
    next?.resume()
  }
}
