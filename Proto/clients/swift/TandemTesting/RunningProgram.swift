import Foundation

/// `tandem`, whose standard input is open until ``end()``; what it says on standard error is seen on this process's.
///
/// `@unchecked Sendable`: one task uses it, which waits for what threads of its own do with it.
final class RunningProgram: @unchecked Sendable {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private let words: [String]

  init(_ words: [String]) throws {
    self.words = words
    let program = ProcessInfo.processInfo.environment["TANDEM_PROGRAM"] ?? "tandem"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// All of its standard output, which it may close before it ends.
  func output() async throws -> Data {
    let text = try await onThread { try self.output.fileHandleForReading.readToEnd() ?? Data() }
    guard text.isEmpty else { return text }
    try await end()
    throw SuiteFailure("tandem \(words.joined(separator: " ")) says nothing")
  }

  /// Closes its standard input and waits for its end.
  func end() async throws {
    let status = try await onThread {
      try self.input.fileHandleForWriting.close()
      self.process.waitUntilExit()
      return self.process.terminationStatus
    }
    guard status == 0 else { throw SuiteFailure("tandem \(words.joined(separator: " ")) ended with status \(status)") }
  }

  /// Runs what blocks its thread: the threads of tasks are few.
  private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
