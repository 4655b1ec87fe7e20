import Foundation
import TestSupport
import Testing

/// The probe in a process of its own, that does the jobs of a database.
final class ProbeProcess: Sendable {
  let pid: Int32
  private let log: String
  private let process: Process

  /// The executable beside the one that runs the tests.
  private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("jobs-probe")

  /// Starts one; its log is a file in `folder`.
  init(on test: TestDatabase, in folder: String, environment: [String: String] = [:]) throws {
    log = "\(folder)/log-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: log))
    let process = Process()
    process.executableURL = Self.executable
    // No arguments: Swift does not find them once a library that was preloaded has changed the environment.
    process.environment = environment.merging(
      [
        "TANDEM_PLAINTEXT": "true", "TANDEM_THREADS": "1", "TANDEM_DATABASE_URL": test.url(of: Bench.schema.name),
        "TANDEM_DELIVERIES": "\(folder)/deliveries", "TANDEM_JOBS_LOOK_INTERVAL": "100ms", "TANDEM_LOG_FORMAT": "json",
      ]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let errors = try #require(FileHandle(forWritingAtPath: log))
    process.standardError = errors
    try Children.start { try process.run() }
    try errors.close()
    self.process = process
    pid = process.processIdentifier
  }

  func signal(_ number: Int32) { Foundation.kill(pid, number) }

  /// SIGKILL: the process ends without a chance to tidy up.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// How many lines of its log hold `text`.
  func lines(with text: String) throws -> Int {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count { $0.contains(text) }
  }

  /// Waits until it is ready for work.
  func becameReady() async throws {
    try await until("the process is ready") {
      let said = try String(contentsOfFile: self.log, encoding: .utf8)
      try #require(self.process.isRunning, "the process has ended: \(said)")
      return said.contains("\"ready\"")
    }
  }
}

/// A folder that is there for as long as `body` runs.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "tandem-jobs-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}
