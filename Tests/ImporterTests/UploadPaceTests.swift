import FileUploads
import Foundation
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("how fast files are uploaded", .ownThreads, .timeLimit(.minutes(5)))
struct UploadPaceTests {
  @Test("[IM-10] a file of 100 MB is sent as fast as it is read, and never overruns the server")
  func followed() async throws {
    try await RunningImporter.with { importer in
      let done = try await importer.activities.importFile(
        first: ImportFileRequest(chunk: Self.head), repeatElement(Self.comment, count: 1_600) + [Self.foot],
        TestUser.ada.options)
      #expect(done.format == "apple-health" && done.state == .done && done.weights == 1)
    }
  }

  @Test(
    "[IM-10] what the server allows fits while nothing is read, and the upload goes on afterwards",
    arguments: [4_096, 65_536])
  func waited(size: Int) async throws {
    try await RunningImporter.with { importer in
      let zone = size == 4_096 ? "Pacific/Noumea" : "Pacific/Norfolk"
      let chunk = Self.comment(of: size)
      let done = try await importer.activities.importFile(TestUser.ada.options) { writer, responses in
        var responses = responses.makeAsyncIterator()
        try await writer.send(ImportFileRequest(chunk: Self.head, timeZone: zone))
        let process = try await eventually("its reader runs") { HostileFiles.process(with: zone) }
        kill(process, SIGSTOP)
        guard case .byteLimit(let first) = try await responses.next()?.step else { throw UploadWithoutResult() }
        for _ in 0..<(Int(first) - Self.head.count) / size { try await writer.send(ImportFileRequest(chunk: chunk)) }
        kill(process, SIGCONT)
        guard case .byteLimit(let next) = try await responses.next()?.step else { throw UploadWithoutResult() }
        #expect(next > first)
        try await writer.send(ImportFileRequest(chunk: Self.foot))
        writer.finish()
        while let response = try await responses.next() { if case .result(let done) = response.step { return done } }
        throw UploadWithoutResult()
      }
      #expect(done.state == .done && done.weights == 1)
    }
  }

  @Test("[IM-10] a client that sends more than the server allows is refused, and nothing is stored")
  func ignored() async throws {
    try await RunningImporter.with { importer in
      let refused = try await refusal {
        try await importer.activities.importFile(
          heedlessly: { writer in
            try await writer.send(ImportFileRequest(chunk: Self.head, onFault: .keep, timeZone: "Pacific/Nauru"))
            let process = try await eventually("its reader runs") { HostileFiles.process(with: "Pacific/Nauru") }
            kill(process, SIGSTOP)
            for _ in 0..<160 { try await writer.send(ImportFileRequest(chunk: Self.comment)) }
          }, TestUser.ada.options)
      }
      #expect(refused.code == .resourceExhausted && refused.reason == "RECEIVE_BUFFER_FULL", "\(refused)")
      #expect(try await eventually { HostileFiles.process(with: "Pacific/Nauru") == nil })
      #expect(try await importer.value("select count(*) from weights") == "0")
      #expect(try await importer.value("select count(*) from file_imports where state = 'DONE'") == "0")
      #expect(try await importer.importFile(Self.head + Self.foot).weights == 1)
    }
  }

  /// An export of Apple Health with a weighing.
  private static let head = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_GB"><Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" \
    creationDate="2025-06-01 08:00:00 +0000" startDate="2025-06-01 08:00:00 +0000" \
    endDate="2025-06-01 08:00:00 +0000" value="70.5"/>
    """.utf8)

  private static let foot = Array("</HealthData>".utf8)

  private static let comment = comment(of: 65_536)

  private static func comment(of size: Int) -> [UInt8] {
    Array("<!--\(String(repeating: " ", count: size - 7))-->".utf8)
  }
}
