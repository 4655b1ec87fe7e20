import Ambient
import Cryptography
import Logging
import LoopExecutor
import NotesV1
import Postgres
import ServiceRuntime
import TTRPC
import TestSupport
import Testing

/// The notes service on a database of its own, and clients over TCP.
struct RunningNotes: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let port: Int
  let client: RPCClient
  /// A way of the test's own to the service's database.
  let ownDatabase: Database
  let logger: Logger

  var notes: NotesClient { NotesClient(client) }

  static let schema = TestSchema("notes", NotesSchema.migrations)
  private static let loops = LoopGroup(threads: 1)

  static func with(_ body: @escaping @Sendable (RunningNotes) async throws -> Void) async throws {
    try await TestDatabase.with([schema]) { database in
      let clock = ManualClock()
      let key = "test:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
      let settings = try Settings.resolve(
        NotesExecutable.service.allSettings, service: "notes",
        from: SettingSources(arguments: [
          "--plaintext", "--threads=2", "--database-url", database.url(of: "notes"), "--seal-key", key,
        ]))
      let logger = Logger(label: "notes") { _ in SwiftLogNoOpLogHandler() }
      let own = try Database(
        DatabaseConfiguration(url: database.url(of: "notes"), applicationName: "tests", schema: "notes"),
        loops: loops.executors, logger: logger)
      let host = try await ServiceHost.start(
        NotesExecutable.self, settings: settings, ambient: Ambient(clock: clock, randomness: SystemRandomness()),
        logger: logger)
      let port = host.rpcAddress.port
      let running = RunningNotes(
        database: database, clock: clock, port: port, client: connect(port),
        ownDatabase: own, logger: logger)
      try await withThrowingTaskGroup { group in
        group.addTask { try await host.run() }
        try #require(await host.becameReady, "the service did not become ready")
        try await body(running)
        await running.client.close()
        await own.close()
        await host.stop()
        try await group.waitForAll()
      }
    }
  }

  static func connect(_ port: Int) -> RPCClient {
    RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: loops.executors[0])
  }

  /// The first column of a query's only row.
  @discardableResult
  func value(_ text: String) async throws -> String? {
    try await Administration.session(database.url(of: "notes")) { session in
      try session.run("set search_path to notes")
      return try session.run(text).first?.first ?? nil
    }
  }

  func create(_ text: String, rank: Int64 = 1, colour: String = "") async throws -> Note {
    try await notes.createNote(CreateNoteRequest(note: Note(text: text, rank: rank, colour: colour)), .ada)
  }
}

extension CallOptions {
  static var ada: CallOptions { .token("ada", timeout: .seconds(60)) }
  static var grace: CallOptions { .token("grace", timeout: .seconds(60)) }
}
