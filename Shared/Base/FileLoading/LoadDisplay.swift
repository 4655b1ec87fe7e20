import Glibc
import Synchronization

/// Shows the progress of a load on standard error: on one line of a terminal, else as a line every ten seconds.
package final class LoadDisplay: Sendable {
  /// Bad records beyond these are only counted.
  private static let maxReported = 1_000

  private let size: Int?
  private let began = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state: Mutex<(next: ContinuousClock.Instant, reported: Int)>

  /// - Parameter size: bytes of the whole file; `nil` where it is unknown.
  package init(of size: Int?) {
    self.size = size
    state = Mutex((began + (isTerminal ? .seconds(1) : .seconds(10)), 0))
  }

  /// Reports a record that was skipped, up to ``maxReported`` of them.
  package func report(_ bad: BadRecord) {
    let number = state.withLock { state in
      state.reported += 1
      return state.reported
    }
    if number < Self.maxReported { say("line \(bad.line): \(bad.reason)") }
    if number == Self.maxReported { say("line \(bad.line): \(bad.reason); further ones are only counted") }
  }

  /// Reports the progress of the load, at intervals.
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

  /// Restores the terminal's line.
  package func end() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func say(_ line: String) { write(isTerminal ? "\r\u{1B}[K\(line)\n" : "\(line)\n") }

  private func write(_ text: String) {
    // With standard error gone there is nowhere left to report to.
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}
