import Foundation
import Identifiers
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("files that are made to do harm", .ownThreads, .timeLimit(.minutes(5)))
struct HostileFileTests {
  @Test("[IM-10] steps of a year that no clock shows spoil no other record of an export")
  func farDay() async throws {
    try await RunningImporter.with { importer in
      let records = ["9362", "2025"].map { year in
        #"<Record type="HKQuantityTypeIdentifierStepCount" startDate="\#(year)-01-01 08:00:00 +0100" value="600"/>"#
      }
      let done = try await importer.importFile(Array("<HealthData>\(records.joined())</HealthData>".utf8))
      #expect(done.state == .done && done.fault == nil && done.stepDays == 1)
    }
  }

  @Test("[IM-10] bombs, names that lead out, and cut archives are refused with the place, and nothing is stored")
  func archives() async throws {
    let cases: [(String, String)] = [
      ("bomb.zip", "FILE_TOO_MUCH"), ("long-member.zip", "FILE_TOO_MUCH"), ("slip.zip", "FILE_BROKEN"),
      ("root.zip", "FILE_BROKEN"), ("windows.zip", "FILE_BROKEN"), ("cut.zip", "FILE_BROKEN"),
      ("bomb.gz", "FILE_TOO_MUCH"), ("cut.gz", "FILE_BROKEN"),
      ("bomb-in.zip", "FILE_TOO_MUCH"),
    ]
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        for (name, reason) in cases {
          importer.clock.advance(by: .seconds(1))
          let refused = try await refusal { try await importer.importFile(try files.bytes(name)) }
          #expect(refused.code == .invalidArgument && refused.reason == reason, "\(name): \(refused)")
          #expect("\(refused)".contains("byte"), "\(name): \(refused)")
        }
        // An archive in an archive is passed over, and the limits are those of all layers together.
        for name in ["nested.zip", "layers.gz"] {
          importer.clock.advance(by: .seconds(1))
          let done = try await importer.importFile(try files.bytes(name))
          #expect(done.state == .done && done.newActivities == 0, "\(name)")
        }
        #expect(try await importer.listed().isEmpty)
        #expect(try await importer.value("select count(*) from file_imports where state = 'FAILED'") == "9")
      }
    }
  }

  @Test("[IM-10] a file that is compressed by itself, also in an archive, is read as what it contains")
  func compressed() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let done = try await importer.importFile(try files.gzipped(MadeFile.fit()))
        #expect(done.format == "fit" && done.newActivities == 1)
        let archive = try await importer.importFile(
          try files.zipped("activities/1.fit.gz", files.gzipped(MadeFile.fit())), as: .grace)
        #expect(archive.format == "takeout" && archive.newActivities == 1)
      }
    }
  }

  @Test("[IM-10] FIT files with lengths that lie, and XML that unfolds itself, are refused with the place")
  func lies() async throws {
    let good = MadeFile.fit()
    var longer = good
    longer.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    var shorter = good
    shorter.replaceSubrange(4..<8, with: [1, 0, 0, 0])
    var wide = FITBytes()
    wide.define(0, message: 20, (0..<250).map { (UInt8($0), 255, 0x0D) })
    wide.data(0, [1, 2, 3])
    var undefined = FITBytes()
    undefined.data(7, [1])
    let laughs = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
    let cases: [(String, [UInt8], String)] = [
      ("longer", longer, "FILE_BROKEN"), ("shorter", shorter, "FILE_BROKEN"), ("wide", wide.whole, "FILE_BROKEN"),
      ("undefined", undefined.whole, "FILE_BROKEN"),
      ("laughs", Array("<!DOCTYPE gpx [<!ENTITY a0 \"ha\">\(laughs)]><gpx>&a9;</gpx>".utf8), "FILE_BROKEN"),
      (
        "external", Array("<!DOCTYPE gpx [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><gpx>&a;</gpx>".utf8),
        "FILE_BROKEN"
      ),
      ("nesting", Array("<gpx>".utf8) + Array(String(repeating: "<a>", count: 3_500_000).utf8), "FILE_TOO_MUCH"),
      ("text", Array("<gpx><trk><name>".utf8) + [UInt8](repeating: 0x61, count: 1 << 20), "FILE_TOO_MUCH"),
    ]
    try await RunningImporter.with { importer in
      for (name, bytes, reason) in cases {
        importer.clock.advance(by: .seconds(1))
        let refused = try await refusal { try await importer.importFile(bytes) }
        #expect(refused.code == .invalidArgument && refused.reason == reason, "\(name): \(refused)")
        #expect("\(refused)".contains("byte"), "\(name): \(refused)")
      }
      #expect(try await importer.listed().isEmpty)
      // The reader of each is gone, and its place is free.
      #expect(try await importer.importFile(good).newActivities == 1)
    }
  }

  @Test(
    "[IM-10] [O-2] a reader that is killed, as where memory is short, fails its own upload alone, which can be repeated"
  )
  func killed() async throws {
    try await RunningImporter.with { importer in
      let file = MadeFile.gpx()
      let refused = try await refusal {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Array(file.prefix(1_000)), timeZone: "Pacific/Chatham"))
            let process = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Chatham") }
            kill(process, SIGKILL)
            try await writer.send(ImportFileRequest(chunk: Array(file.dropFirst(1_000))))
          }, TestUser.ada.options)
      }
      #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_UPLOADS", "\(refused)")
      #expect(refused.retryAfter == .seconds(30))
      #expect(try await importer.listed().isEmpty)
      #expect(try await importer.value("select state from file_imports") == "FAILED")
      #expect(try await importer.importFile(file).newActivities == 1)
    }
  }

  @Test(
    "[IM-10] O-2: an upload whose reader was killed is read alone when it comes again: others end first, and none begins"
  )
  func alone() async throws {
    try await RunningImporter.with(["--file-readers", "4"]) { importer in
      let file = MadeFile.gpx()
      let gate = Gate()
      let reads = AsyncStream.makeStream(of: pid_t.self)
      /// Sends the beginning of a file, and the rest once the gate opens.
      @Sendable func begin(_ user: TestUser, _ zone: String) async throws -> FileImport {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Array(file.prefix(1_000)), timeZone: zone))
            reads.continuation.yield(try await eventually("its reader runs") { HostileFiles.process(with: zone) })
            await gate.pass()
            try await writer.send(ImportFileRequest(chunk: Array(file.dropFirst(1_000))))
          }, user.options)
      }
      var readers = reads.stream.makeAsyncIterator()
      async let killed = refusal { try await begin(.ada, "Pacific/Niue") }
      if let reader = await readers.next() { kill(reader, SIGKILL) }
      // The client, which has still to send, is told at once.
      async let other = begin(.grace, "Pacific/Palau")
      _ = await readers.next()
      let state = "select state from file_imports where user_id = '\(TestUser.ada.id)'"
      #expect(try await eventually { try await importer.value(state) == "FAILED" })
      importer.clock.advance(by: .seconds(1))
      async let again = importer.importFile(file)
      let isClosed = try await eventually {
        do {
          _ = try await importer.importFile(MadeFile.gpx(latitude: 48), as: .alan)
          return false
        } catch let status as Status { return status.reason == "TOO_MANY_UPLOADS" }
      }
      #expect(isClosed, "nothing is begun while it waits")
      gate.open()
      #expect(try await killed.reason == "TOO_MANY_UPLOADS")
      #expect(try await other.newActivities == 1)
      #expect(try await again.newActivities == 1)
      importer.clock.advance(by: .seconds(1))
      #expect(try await importer.importFile(file, as: .alan).state == .done)
    }
  }

  @Test("[IM-10] of the readers one user has half, and 500 uploads an hour")
  func quotas() async throws {
    try await RunningImporter.with(["--file-readers", "2"]) { importer in
      let file = MadeFile.gpx()
      let done = try await importer.activities.importFile(
        heedlessly: { writer in
          try await writer.send(ImportFileRequest(chunk: Array(file.prefix(1_000)), timeZone: "Pacific/Apia"))
          _ = try await eventually("it is read") { HostileFiles.process(with: "Pacific/Apia") }
          let second = try await refusal { try await importer.importFile(file) }
          #expect(second.code == .resourceExhausted && second.reason == "TOO_MANY_UPLOADS")
          #expect(try await importer.importFile(file, as: .grace).newActivities == 1)
          try await writer.send(ImportFileRequest(chunk: Array(file.dropFirst(1_000))))
        }, TestUser.ada.options)
      #expect(done.newActivities == 1)
      try await importer.sql(
        """
        insert into file_imports select (row).* from (
          select jsonb_populate_record(one, jsonb_build_object(
            'id', left(one.id::text, 24) || lpad(to_hex(number), 12, '0'))) as row
          from file_imports as one, generate_series(1, 500) as number where one.id = '\(done.importID)'
        ) as copies
        """)
      let refused = try await refusal { try await importer.importFile(file) }
      #expect(refused.code == .resourceExhausted && refused.reason == "UPLOAD_QUOTA_REACHED", "\(refused)")
      importer.clock.advance(by: .seconds(3_601))
      #expect(try await importer.importFile(file).knownActivities == 1)
    }
  }
}

/// Archives of `hostile_files.py`, in a folder of their own.
struct HostileFiles: Sendable {
  let folder: String

  static func with(_ body: (HostileFiles) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-test-hostile-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/hostile_files.py").path
    try run(["python3", script, folder])
    try await body(HostileFiles(folder: folder))
  }

  static func run(_ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    try Children.start { try process.run() }
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
  }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))) }

  func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    try Data(bytes).write(to: URL(filePath: "\(folder)/plain"))
    try Self.run(["gzip", "--force", "\(folder)/plain"])
    return try self.bytes("plain.gz")
  }

  func zipped(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try Data(bytes).write(to: URL(filePath: "\(folder)/member"))
    let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').write(sys.argv[2], sys.argv[3])"
    try Self.run(["python3", "-c", script, "\(folder)/made.zip", "\(folder)/member", name])
    return try self.bytes("made.zip")
  }

  /// The process that has a word among its arguments.
  static func process(with word: String) -> pid_t? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.lazy.compactMap { pid_t($0) }.first { process in
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix("activity-file-reader") == true && words.dropFirst().contains(word)
    }
  }
}
