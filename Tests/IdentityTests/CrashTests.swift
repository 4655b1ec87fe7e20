import Foundation
import LoopExecutor
import Postgres
import TTRPCClient
import TandemIdentity
import TestSupport
import Testing

/// The `identity` executable in a process of its own, as an operator runs it.
struct IdentityProcess {
  let process: Process
  let client: RPCClient
  let mailFolder: String

  private static let loops = LoopGroup(threads: 1)

  /// The executable beside the one that runs the tests.
  static var executable: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("identity")
  }

  /// - Parameter log: a file for everything that it logs; `nil` shows errors alone, on the test's own standard error.
  static func start(
    on database: TestDatabase, in folder: String, log: FileHandle? = nil
  ) async throws -> IdentityProcess {
    // What was killed has left its ready file behind.
    let readyFile = "\(folder)/ready-\(UUID().uuidString).json"
    let process = Process()
    process.executableURL = executable
    process.arguments = [
      "--plaintext", "--threads", "1", "--database-url", database.url(of: "identity"), "--seal-key",
      RunningIdentity.sealKey, "--mail", "folder:\(folder)/mail", "--ready-file", readyFile, "--log-level",
      log == nil ? "error" : "debug",
    ]
    if let log { process.standardError = log }
    try Children.start { try process.run() }
    let port = try await eventually("the process is ready") { () -> Int? in
      try #require(process.isRunning, "the process has ended")
      guard let text = try? String(contentsOfFile: readyFile, encoding: .utf8) else { return nil }
      return text.split(separator: "\"").first { $0.hasPrefix("127.0.0.1:") }.flatMap { Int($0.dropFirst(10)) }
    }
    let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: loops.executors[0])
    return IdentityProcess(process: process, client: client, mailFolder: "\(folder)/mail")
  }

  /// SIGKILL: the process ends without a chance to tidy up.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
  }
}

@Suite("crashes", .timeLimit(.minutes(5)))
struct CrashTests {
  @Test("[ID-1] kill -9 loses no acknowledged registration, nor its mail")
  func killed() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let folder = NSTemporaryDirectory() + "tandem-crash-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let identity = try await IdentityProcess.start(on: database, in: folder)
      let acknowledged = Gathered<String>()
      let enough = Gate()

      await withTaskGroup { group in
        for caller in 0..<8 {
          group.addTask {
            // Registers until the service is gone.
            for number in 0..<1_000 {
              let user = User(email: "p\(caller).\(number)@example.com", username: "p\(caller).\(number)")
              do {
                _ = try await AccountsClient(identity.client).register(user.registration)
                acknowledged.add(user.username)
                if acknowledged.all.count >= 6 { enough.open() }
              } catch { return }
            }
          }
        }
        group.addTask {
          await enough.pass()
          identity.kill()
        }
      }

      // A mail that was being sent is due again a minute later, which is too long to wait here.
      try await Administration.session(database.url) { session in
        _ = try session.run("update identity.deliveries set due_at = now() - interval '1 second' where state = 'DUE'")
      }
      let survivor = try await IdentityProcess.start(on: database, in: folder)
      defer { survivor.kill() }
      for username in acknowledged.all {
        let user = User(email: "\(username)@example.com", username: username)
        let status = try await refusal { try await AccountsClient(survivor.client).login(user.login) }
        #expect(status.reason == "EMAIL_NOT_VERIFIED", "\(username)")
        _ = try await eventually("the mail to \(username) is there") { () -> Bool? in
          let mails = try FileManager.default.contentsOfDirectory(atPath: survivor.mailFolder).filter {
            $0.hasSuffix(".eml")
          }
          return try mails.contains {
            try String(contentsOfFile: "\(survivor.mailFolder)/\($0)", encoding: .utf8).contains(
              "To: <\(user.email)>")
          } ? true : nil
        }
      }
      #expect(acknowledged.all.count >= 6)
    }
  }
}
