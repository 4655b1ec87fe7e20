import Foundation
import TestSupport

/// A database that is moved to another server, as operators do: by `pg_dump` and `psql`.
struct DatabaseDump {
  private let file: String

  private static let programs =
    ProcessInfo.processInfo.environment["TANDEM_POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin"

  private struct Failed: Error {
    let program: String
  }

  /// Dumps a consistent state of a database, while others may write.
  ///
  /// - Parameter schema: `nil` for the whole database, including its creation.
  init(of url: String, schema: String? = nil) throws {
    file = NSTemporaryDirectory() + "dump-\(UUID().uuidString).sql"
    try Self.run("pg_dump", (schema.map { ["--schema", $0] } ?? ["--create"]) + ["--file", file, url])
  }

  /// Writes it to a server that has the roles; `url` names the database for one schema, and any other one for a whole database.
  func restore(to url: String) throws {
    try Self.run(
      "psql", ["--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "--output", "/dev/null", "--file", file, url])
  }

  func remove() {
    // A temporary file that stays is the system's to remove.
    try? FileManager.default.removeItem(atPath: file)
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(programs)/\(program)")
    process.arguments = arguments
    try Children.start { try process.run() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(program: program) }
  }
}
