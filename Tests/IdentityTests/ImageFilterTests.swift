import Foundation
import TestSupport
import Testing

/// The `identity` executable where the kernel filters no system calls.
@Suite("a service without filters for its image decoder", .ownThreads)
struct ImageFilterTests {
  private func start(
    on database: TestDatabase, in folder: String, _ arguments: [String]
  ) throws -> (process: Process, errors: Pipe) {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = IdentityProcess.executable.deletingLastPathComponent()
      .appendingPathComponent("system-call-probe")
    process.arguments =
      [
        "without-seccomp", IdentityProcess.executable.path, "--plaintext", "--threads", "1", "--listen", "127.0.0.1:0",
        "--admin-listen", "127.0.0.1:0", "--database-url", database.url(of: "identity"), "--seal-key",
        RunningIdentity.sealKey, "--mail", "folder:\(folder)/mail", "--ready-file", "\(folder)/ready.json",
      ] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try Children.start { try process.run() }
    return (process, errors)
  }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-filter-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test("[ID-25] it does not start, and says what to do")
  func refused() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await inFolder { folder in
        let (process, errors) = try start(on: database, in: folder, [])
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()

        #expect(process.terminationStatus == 2)
        #expect(said.contains("setting image-filter: the kernel does not filter system calls (seccomp)"), "\(said)")
        #expect(said.contains("set image-filter to optional"))
      }
    }
  }

  @Test("[ID-25] it starts where an operator allows it")
  func allowed() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await inFolder { folder in
        let (process, _) = try start(
          on: database, in: folder, ["--image-filter", "optional", "--log-level", "critical"])
        defer { kill(process.processIdentifier, SIGKILL) }
        _ = try await eventually("it is ready") { () -> Bool? in
          try #require(process.isRunning, "the process has ended")
          return FileManager.default.fileExists(atPath: "\(folder)/ready.json") ? true : nil
        }
      }
    }
  }
}
