import Glibc
import Postgres
import Synchronization

/// The lines of a descriptor, read on demand; the reader may stop at any time.
final class InputLines: Sendable {
  /// A message of the largest size, 4 MiB on the wire, is shorter as JSON.
  private static let maxLineLength = 32 << 20

  private let descriptor: CInt
  /// The ends of a pipe that can be read from ``end()`` on.
  private let wake: (readEnd: CInt, writeEnd: CInt)
  private let state = Mutex(State())

  private struct State {
    var splitter = LineSplitter(maxLineLength: maxLineLength)
    var lines: [String] = []
    var hasEnded = false
  }

  init(_ descriptor: CInt) throws(Complaint) {
    self.descriptor = descriptor
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Complaint("no pipe can be made: \(systemMessage())") }
    wake = (ends[0], ends[1])
  }

  deinit {
    close(wake.readEnd)
    close(wake.writeEnd)
  }

  /// The next line; `nil` at the end, once ``end()`` was called, and for a task that was cancelled.
  func next() async throws -> String? {
    while true {
      let (line, hasEnded) = state.withLock { ($0.lines.isEmpty ? nil : $0.lines.removeFirst(), $0.hasEnded) }
      if line != nil || hasEnded || Task.isCancelled { return line }
      try await withTaskCancellationHandler {
        // A thread of its own, as it may wait for input of the user.
        try await BackgroundThread.run { self.fill() }
      } onCancel: {
        end()
      }
    }
  }

  /// Whether no more lines are read.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Ends the lines, even if there is more input.
  func end() {
    state.withLock { $0.hasEnded = true }
    var byte: UInt8 = 0
    _ = Glibc.write(wake.writeEnd, &byte, 1)
  }

  /// Waits for input and reads it.
  private func fill() {
    var slots = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&slots, 2, -1) < 0 && errno == EINTR {}
    guard slots[1].revents == 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 && errno == EINTR { return }
    state.withLock { state in
      state.lines += count > 0 ? state.splitter.take(chunk[..<count]) : state.splitter.takeRest()
      if count <= 0 { state.hasEnded = true }
    }
  }
}
