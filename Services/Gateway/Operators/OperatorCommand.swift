import Subprocess
import TTRPC

/// The suite's command line, by which the desk reads and changes what no service has a method for. It is run with words of the desk's own
/// and ids that were read as such; nothing that a browser sent is a command.
public struct OperatorCommand: Sendable {
  private let program: String
  /// The folder of `tandem up`; `nil` where the command line finds the services by its own settings.
  private let home: String?
  private let places: Places

  private static let timeout = Duration.seconds(60)
  /// Of standard output; ten thousand jobs take less.
  private static let maxBytes = 8 << 20
  /// At a time: each opens a connection to every database.
  private static let maxRunning = 2

  public init(program: String, home: String?) {
    (self.program, self.home) = (program, home)
    places = Places(Self.maxRunning)
  }

  /// What it writes to standard output, as JSON.
  ///
  /// - Throws: a status with what it says where it fails.
  func run(_ words: [String]) async throws -> [UInt8] {
    guard await places.take() else { throw Status(.resourceExhausted, "Other commands are running; wait a moment") }
    do {
      let output = try await output(of: words + ["-o", "json"] + (home.map { ["--home", $0] } ?? []))
      await places.giveBack()
      return output
    } catch {
      await places.giveBack()
      throw error
    }
  }

  private func output(of words: [String]) async throws -> [UInt8] {
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      group.addTask { try await Self.output(of: program, words) }
      group.addTask {
        try await Task.sleep(for: Self.timeout)
        throw Status(.deadlineExceeded, "`tandem \(words[0])` took too long")
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }

  private static func output(of program: String, _ words: [String]) async throws -> [UInt8] {
    let result = try await Subprocess.run(
      .path(.init(program)), arguments: Arguments(words), output: .bytes(limit: maxBytes),
      error: .string(limit: 1 << 16))
    guard case .exited(0) = result.terminationStatus else {
      throw Status(.failedPrecondition, Self.reason(of: result.standardError))
    }
    return result.standardOutput
  }

  /// The first lines of what it said, without its name before each.
  private static func reason(of text: String?) -> String {
    let lines = (text ?? "").split(separator: "\n").prefix(5).map { $0.hasPrefix("tandem: ") ? $0.dropFirst(8) : $0 }
    return lines.isEmpty ? "The command failed" : lines.joined(separator: "; ")
  }
}

/// How many may do something at a time.
private actor Places {
  private var left: Int

  init(_ count: Int) { left = count }

  func take() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }

  func giveBack() { left += 1 }
}
