import FileUploads
import Foundation
import Postgres
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("how uploads end", .ownThreads, .timeLimit(.minutes(5)))
struct UploadEndTests {
  private struct Enough: Error {}

  /// The state of the only import, and the reason.
  private static func ending(_ importer: RunningImporter) async throws -> [String?] {
    try await importer.sql("select state, failure from file_imports").first ?? []
  }

  /// Waits until the only import has ended.
  private static func ended(_ importer: RunningImporter) async throws -> [String?] {
    try await eventually("the import has ended") {
      let ending = try await ending(importer)
      return ending.first == "RUNNING" ? nil : ending
    }
  }

  @Test("[IM-10] an upload that its client cancels is CANCELLED at once, and stores nothing")
  func cancelled() async throws {
    try await RunningImporter.with { importer in
      do {
        _ = try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(
              ImportFileRequest(chunk: Array(MadeFile.gpx().prefix(1_000)), timeZone: "Pacific/Wallis"))
            _ = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Wallis") }
            throw Enough()
          }, TestUser.ada.options)
      } catch is Enough {}
      #expect(try await Self.ended(importer) == ["CANCELLED", "UPLOAD_CANCELLED"])
      #expect(try await eventually { HostileFiles.process(with: "Pacific/Wallis") == nil })
      #expect(try await importer.listed().isEmpty)
    }
  }

  @Test("[IM-10] an upload whose connection drops is CANCELLED at once, before its first bytes and after them")
  func dropped() async throws {
    for chunk in [[], Array(MadeFile.gpx().prefix(1_000))] {
      try await RunningImporter.with { importer in
        let client = importer.service.connected()
        _ = try await refusal {
          try await ActivitiesClient(client).importFile(
            heedlessly: { writer in
              if !chunk.isEmpty { try await writer.send(ImportFileRequest(chunk: chunk)) }
              _ = try await eventually("it has begun") { try await importer.value("select 1 from file_imports") }
              await client.close()
            }, TestUser.ada.options)
        }
        #expect(try await Self.ended(importer) == ["CANCELLED", "UPLOAD_CANCELLED"])
        #expect(try await importer.importFile(MadeFile.gpx()).newActivities == 1)
      }
    }
  }

  @Test("[IM-10] an upload whose connection drops while it is being noted is CANCELLED, too")
  func droppedAtTheBeginning() async throws {
    try await RunningImporter.with { importer in
      let client = importer.service.connected()
      let waiting = "select count(*) from pg_locks where relation = 'importer.file_imports'::regclass and not granted"
      try await importer.own.transaction { tx in
        try await tx.execute(HoldFileImports())
        _ = try await refusal {
          try await ActivitiesClient(client).importFile(
            heedlessly: { _ in
              try await until("it is being noted") { try await importer.value(waiting) == "1" }
              await client.close()
            }, TestUser.ada.options)
        }
      }
      _ = try await eventually("it has ended") {
        try await Self.ending(importer) == ["CANCELLED", "UPLOAD_CANCELLED"] ? true : nil
      }
    }
  }

  @Test("[IM-10] an upload whose connection drops once all of it is sent, and not yet read, is CANCELLED too")
  func droppedAtTheEnd() async throws {
    try await RunningImporter.with { importer in
      let client = importer.service.connected()
      _ = try await refusal {
        try await ActivitiesClient(client).importFile(
          TestUser.ada.options
        ) { writer, responses in
          try await writer.send(ImportFileRequest(chunk: Array("<HealthData>".utf8), timeZone: "Pacific/Efate"))
          let process = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Efate") }
          kill(process, SIGSTOP)
          try await writer.send(ImportFileRequest(chunk: Array("</HealthData>".utf8)))
          writer.finish()
          // What was sent before it on the connection has arrived when it is answered.
          _ = try await ActivitiesClient(client).listFileImports(ListFileImportsRequest(), TestUser.ada.options)
          await client.close()
          for try await _ in responses {}
          throw UploadWithoutResult()
        }
      }
      #expect(try await Self.ended(importer) == ["CANCELLED", "UPLOAD_CANCELLED"])
      #expect(try await eventually { HostileFiles.process(with: "Pacific/Efate") == nil })
    }
  }

  @Test("[IM-10] an upload that overruns its limit is FAILED at once, with the reason")
  func overrun() async throws {
    try await RunningImporter.with { importer in
      let refused = try await refusal {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Array("<HealthData>".utf8), timeZone: "Pacific/Majuro"))
            let process = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Majuro") }
            kill(process, SIGSTOP)
            let chunk = [UInt8](repeating: 0x20, count: 65_536)
            for _ in 0..<160 { try await writer.send(ImportFileRequest(chunk: chunk)) }
          }, TestUser.ada.options)
      }
      #expect(refused.reason == "RECEIVE_BUFFER_FULL", "\(refused)")
      #expect(try await Self.ended(importer) == ["FAILED", "RECEIVE_BUFFER_FULL"])
    }
  }

  @Test(
    "[IM-10] an upload that fails otherwise says by which refusal",
    arguments: [("<gpx><trk>", "FILE_BROKEN"), ("x", "FILE_UNSUPPORTED")])
  func refused(text: String, reason: String) async throws {
    try await RunningImporter.with { importer in
      _ = try await refusal { try await importer.importFile(Array(text.utf8)) }
      #expect(try await Self.ending(importer) == ["FAILED", reason])
      let listed = try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options)
      #expect(listed.imports.map(\.reason) == [reason])
    }
  }

  @Test("[IM-10] a client that sends nothing, before its first bytes or after them, is refused after a while")
  func silent() async throws {
    for chunk in [nil, [], Array(MadeFile.gpx().prefix(1_000))] as [[UInt8]?] {
      try await RunningImporter.with(["--file-idle-timeout", "60s"]) { importer in
        let refused = try await refusal {
          try await importer.activities.importFile(
            heedlessly: { writer in
              if let chunk { try await writer.send(ImportFileRequest(chunk: chunk)) }
              // The clock goes on only here: no time passes for the service otherwise.
              _ = try await eventually("the import has ended") {
                importer.clock.advance(by: .seconds(61))
                let ending = try await Self.ending(importer)
                return ending.isEmpty || ending.first == "RUNNING" ? nil : ending
              }
            }, TestUser.ada.options)
        }
        #expect(refused.code == .deadlineExceeded && refused.reason == "UPLOAD_IDLE", "\(refused)")
        #expect(try await Self.ending(importer) == ["FAILED", "UPLOAD_IDLE"])
      }
    }
  }

  @Test("[IM-10] pauses that are short enough do not end an upload, however many")
  func paused() async throws {
    try await RunningImporter.with(["--file-idle-timeout", "60s"]) { importer in
      let head = Array("<HealthData>".utf8)
      let comment = Array("<!--\(String(repeating: " ", count: 65_529))-->".utf8)
      let done = try await importer.activities.importFile(TestUser.ada.options) { writer, responses in
        var responses = responses.makeAsyncIterator()
        try await writer.send(ImportFileRequest(chunk: head))
        guard case .byteLimit(let window) = try await responses.next()?.step else { throw UploadWithoutResult() }
        for _ in 0..<5 {
          for _ in 0..<max(1, Int(window) / 8 / comment.count) {
            try await writer.send(ImportFileRequest(chunk: comment))
          }
          // The service has taken them, and waits again.
          guard case .byteLimit = try await responses.next()?.step else { throw UploadWithoutResult() }
          importer.clock.advance(by: .seconds(40))
        }
        try await writer.send(ImportFileRequest(chunk: Array("</HealthData>".utf8)))
        writer.finish()
        while let response = try await responses.next() { if case .result(let done) = response.step { return done } }
        throw UploadWithoutResult()
      }
      #expect(done.state == .done && done.format == "apple-health")
    }
  }

  @Test("[IM-10] an upload that drips, never silent for long, is refused when its time is over")
  func dripping() async throws {
    try await RunningImporter.with(["--file-timeout", "2s"]) { importer in
      let refused = try await refusal {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Array("<HealthData>".utf8)))
            _ = try await eventually("the import has ended") {
              try await writer.send(ImportFileRequest(chunk: [0x20]))
              let ending = try await Self.ending(importer)
              return ending.isEmpty || ending.first == "RUNNING" ? nil : ending
            }
          }, TestUser.ada.options)
      }
      #expect(refused.code == .deadlineExceeded && refused.reason == "UPLOAD_TOO_SLOW", "\(refused)")
      #expect(try await Self.ending(importer) == ["FAILED", "UPLOAD_TOO_SLOW"])
      // The next has a place. On a busy machine it may take as long.
      do {
        let next = try await importer.importFile(MadeFile.gpx())
        #expect(next.newActivities == 1)
      } catch let status as Status { #expect(status.reason == "UPLOAD_TOO_SLOW", "\(status)") }
    }
  }

  @Test("[IM-10] messages without bytes, however many, are silence")
  func empty() async throws {
    try await RunningImporter.with(["--file-idle-timeout", "60s"]) { importer in
      let refused = try await refusal {
        try await importer.activities.importFile(
          heedlessly: { writer in
            _ = try await eventually("the import has ended") {
              try await writer.send(ImportFileRequest())
              importer.clock.advance(by: .seconds(7))
              let ending = try await Self.ending(importer)
              return ending.isEmpty || ending.first == "RUNNING" ? nil : ending
            }
          }, TestUser.ada.options)
      }
      #expect(refused.reason == "UPLOAD_IDLE", "\(refused)")
      #expect(try await Self.ending(importer) == ["FAILED", "UPLOAD_IDLE"])
    }
  }

  @Test("[IM-10] an upload that the service's end interrupts is FAILED at once, and says so")
  func stopped() async throws {
    try await TestDatabase.with([RunningImporter.schema]) { database in
      let (clients, hand) = AsyncStream.makeStream(of: RPCClient.self)
      let refused = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await RunningService.with(OpenImporter.self, on: database) { service in
            hand.yield(service.connected())
            hand.finish()
            _ = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Tarawa") }
          }
        }
        var refused: Status?
        for await client in clients {
          refused = try await refusal {
            try await ActivitiesClient(client).importFile(TestUser.ada.options) { writer, responses in
              let chunk = Array(MadeFile.gpx().prefix(1_000))
              try await writer.send(ImportFileRequest(chunk: chunk, timeZone: "Pacific/Tarawa"))
              for try await _ in responses {}
              throw UploadWithoutResult()
            }
          }
          await client.close()
        }
        try await group.waitForAll()
        return refused
      }
      #expect(refused?.reason == "SERVER_STOPPED", "\(String(describing: refused))")
      let stored = try await database.sql("select state, failure from file_imports", in: "importer")
      #expect(stored == [["FAILED", "SERVER_STOPPED"]])
    }
  }

  @Test("[IM-10] an upload that a killed service left behind is shown as failed, once it may run no longer")
  func abandoned() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      try await importer.sql("update file_imports set state = 'RUNNING'")
      func listed() async throws -> FileImport? {
        try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options).imports.first
      }
      importer.clock.advance(by: .seconds(1_800))
      #expect(try await listed()?.state == .running)
      importer.clock.advance(by: .seconds(600))
      let last = try #require(try await listed())
      #expect(last.state == .failed && last.reason.isEmpty && last.fault == nil)
    }
  }
}

/// Has imports of files wait that are to be noted.
private struct HoldFileImports: Statement {
  typealias Row = Void
  static let sql = "lock table file_imports in share mode"
  func bind(_ p: inout Parameters) {}
}
