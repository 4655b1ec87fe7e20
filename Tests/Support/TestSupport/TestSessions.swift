import Dispatch
import Postgres
import Synchronization

/// A superuser's sessions in one database, kept from one statement to the next: to begin one costs the server more than most statements of tests.
///
/// Each has a thread, where it may block. Statements that run at the same time have a session each.
final class TestSessions: Sendable {
  private struct State {
    var idle: [Worker] = []
    var isEnded = false
  }

  private let url: String
  private let state = Mutex(State())

  init(url: String) { self.url = url }

  /// Runs statements as in a session that has just begun; returns the last one's rows as texts.
  ///
  /// - Parameter schema: where names without a schema are looked for.
  func run(_ text: String, in schema: String?) async throws -> [[String?]] {
    try await withUnsafeThrowingContinuation { continuation in
      let request = Request(text: text, schema: schema, continuation: continuation)
      if let worker = state.withLock({ $0.idle.popLast() }) { worker.give(request) } else { begin(request) }
    }
  }

  /// Ends the sessions: idle ones now, others after what they run.
  func end() {
    let idle = state.withLock { state in
      state.isEnded = true
      defer { state.idle.removeAll() }
      return state.idle
    }
    for worker in idle { worker.give(nil) }
  }

  private func begin(_ request: Request) {
    guard !BackgroundThread.start({ self.serve(request) }) else { return }
    request.continuation.resume(throwing: ClusterError("no thread for a session"))
  }

  private func serve(_ first: Request) {
    let worker = Worker()
    var request = first
    do {
      try Administration.blockingSession(url) { session in
        var isNew = true
        while true {
          // The server may have ended a session since its last statement.
          guard isNew || Self.isAlive(session) else { return begin(request) }
          isNew = false
          let result = Self.result(of: request, session)
          let stays = Self.clear(session) && keep(worker)
          request.continuation.resume(with: result)
          guard stays, let next = worker.next() else { return }
          request = next
        }
      }
    } catch {
      request.continuation.resume(throwing: error)
    }
  }

  private func keep(_ worker: Worker) -> Bool {
    state.withLock { state in
      if !state.isEnded { state.idle.append(worker) }
      return !state.isEnded
    }
  }

  private static func result(
    of request: Request, _ session: borrowing AdministrationSession
  ) -> Result<[[String?]], any Error> {
    do {
      if let schema = request.schema { try session.run("set search_path to \(schema)") }
      return .success(try session.run(request.text))
    } catch {
      return .failure(error)
    }
  }

  private static func isAlive(_ session: borrowing AdministrationSession) -> Bool {
    do { return try session.run("select 1") == [["1"]] } catch { return false }
  }

  /// Takes back what statements have set, locked or made for the session; false where they have left a transaction open.
  private static func clear(_ session: borrowing AdministrationSession) -> Bool {
    do {
      try session.run("discard all")
      return true
    } catch {
      return false
    }
  }
}

/// Statements, and who waits for their rows.
private struct Request: Sendable {
  let text: String
  let schema: String?
  let continuation: UnsafeContinuation<[[String?]], any Error>
}

/// What an idle session waits for.
private final class Worker: Sendable {
  private let given = Mutex<Request?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  /// Goes on with a request, or ends with `nil`.
  func give(_ request: Request?) {
    given.withLock { $0 = request }
    arrival.signal()
  }

  /// Blocks until there is one.
  func next() -> Request? {
    arrival.wait()
    return given.withLock { $0 }
  }
}
