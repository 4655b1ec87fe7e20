import Glibc
import Synchronization

/// Tells on standard error how a load goes: on one line of a terminal, else a line every ten seconds.
package final class LoadDisplay: Sendable {
  /// More bad records are counted only.
  private static let maxReported = 1_000

  private let size: Int?
  private let began = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state: Mutex<(next: ContinuousClock.Instant, reported: Int)>

  /// - Parameter size: of the whole file; `nil` where nobody knows.
  package init(of size: Int?) {
    self.size = size
    state = Mutex((began + (isTerminal ? .seconds(1) : .seconds(10)), 0))
  }

  /// Says that a record was skipped, until so many were.
  package func report(_ bad: BadRecord) {
    let number = state.withLock { state in
      state.reported += 1
      return state.reported
    }
    if number < Self.maxReported { say("line \(bad.line): \(bad.reason)") }
    if number == Self.maxReported { say("line \(bad.line): \(bad.reason); further ones are only counted") }
  }

  /// Says how far the load has come, now and then.
  package func progress(_ bytes: Int, _ records: Int) {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now >= state.next else { return false }
      state.next = now + (isTerminal ? .seconds(1) : .seconds(10))
      return true
    }
    guard isDue else { return }
    let line = "\(LoadProgress(bytes: bytes, of: size, records: records, elapsed: now - began))"
    // Erases the line that was there; the next one is written over this one.
    write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
  }

  /// Leaves the terminal as it was.
  package func end() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func say(_ line: String) { write(isTerminal ? "\r\u{1B}[K\(line)\n" : "\(line)\n") }

  private func write(_ text: String) {
    // With standard error gone there is nobody left to tell.
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}
