import Foundation
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("long archives and slow uploads", .ownThreads, .timeLimit(.minutes(5)))
struct LongArchiveTests {
  @Test("[IM-10] I-3: 300 compressed FIT files of an hour, of more than a million points, are stored in one go")
  func hours() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let archive = try files.made(by: Self.hours)
        let done = try await importer.importFile(archive)
        #expect(done.state == .done && done.fault == nil && done.newActivities == 300 && done.skippedCount == 0)
        #expect(try await importer.value("select sum(sample_count) from activity_sources") == "1080000")
        // Of the last as of the first all is there.
        #expect(try await importer.value("select min(sample_count) from activity_sources") == "3600")
      }
    }
  }

  /// A FIT file for each day, with a record each second.
  private static let hours = """
    import gzip, struct, sys, zipfile
    with zipfile.ZipFile(sys.argv[1], 'w') as archive:
        for day in range(300):
            start = 1_080_000_000 + day * 86_400
            body = bytes([0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 3, 1, 2])
            body += b''.join(
                struct.pack('<BIiiB', 0, start + s, 614_000_000 + s * 300, -1_430_000, 120 + s % 20) for s in range(3600))
            file = bytes([14, 0x20, 0x54, 0x08]) + struct.pack('<I', len(body)) + b'.FIT' + bytes(2) + body + bytes(2)
            archive.writestr(f'activities/{day}.fit.gz', gzip.compress(file, 1))
    """

  @Test("[IM-10] I-7: uploads that drip give their places up when others wait, the slowest first")
  func dripping() async throws {
    try await RunningImporter.with(["--file-readers", "2"]) { importer in
      let file = MadeFile.gpx()
      let gate = Gate()
      let begun = AsyncStream.makeStream(of: Void.self)
      /// Sends the beginning of a file, and the rest once the gate opens.
      @Sendable func drip(_ user: TestUser, _ count: Int, _ zone: String) async throws -> FileImport {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Array(file.prefix(count)), timeZone: zone))
            _ = try await eventually("it is read") { HostileFiles.process(with: zone) }
            begun.continuation.yield()
            await gate.pass()
            try await writer.send(ImportFileRequest(chunk: Array(file.dropFirst(count))))
          }, user.options)
      }
      async let slower = refusal { try await drip(.ada, 10, "Pacific/Wake") }
      async let slow = drip(.grace, 1_000, "Pacific/Yap")
      var starts = begun.stream.makeAsyncIterator()
      _ = await starts.next()
      _ = await starts.next()
      let other = TestUser.alan
      // Nobody loses a place at once.
      let early = try await refusal { try await importer.importFile(file, as: other) }
      #expect(early.reason == "TOO_MANY_UPLOADS", "\(early)")
      importer.clock.advance(by: .seconds(30))
      #expect(try await importer.importFile(file, as: other).newActivities == 1)
      gate.open()
      #expect(try await slower.reason == "UPLOAD_TOO_SLOW")
      #expect(try await slow.newActivities == 1)
    }
  }
}

extension HostileFiles {
  /// What a Python script writes to the path that is its argument.
  func made(by script: String) throws -> [UInt8] {
    try Self.run(["python3", "-c", script, "\(folder)/made.zip"])
    return try bytes("made.zip")
  }
}
