import Foundation
import GatewayTranscoder
import KindsV1
import TandemCatalog
import TandemChat
import TandemIdentity
import TandemImporter
import TandemLending
import TandemMatching
import TandemNotification
import TandemTracking
import TestSupport
import Testing
import WorkerPool

@Suite struct TranscoderPeerTests {
  private static let sets = [
    KindsV1.FileDescriptors.serialized, TandemIdentity.FileDescriptors.serialized,
    TandemNotification.FileDescriptors.serialized, TandemCatalog.FileDescriptors.serialized,
    TandemLending.FileDescriptors.serialized, TandemMatching.FileDescriptors.serialized,
    TandemTracking.FileDescriptors.serialized, TandemChat.FileDescriptors.serialized,
    TandemImporter.FileDescriptors.serialized,
  ]

  @Test(
    "[GATE-2] random messages of every type are the same in protobuf's own reader, both ways", .timeLimit(.minutes(5)))
  func randomMessages() throws {
    try compare(made: "make", read: "check") { contract, line in
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      let type = try #require(contract.message(named: String(parts[0])))
      let wire = [UInt8](try #require(Data(base64Encoded: String(parts[1]))))
      let json = [UInt8](try #require(Data(base64Encoded: String(parts[2]))))
      let ownWire = try json.withUnsafeBufferPointer {
        try contract.protobuf(fromJSON: $0, type, unknown: .refused, in: .assumed())
      }
      let ownJSON = try wire.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, type, in: .assumed()) }
      return "\(Data(ownWire).base64EncodedString()) \(Data(ownJSON).base64EncodedString())"
    }
  }

  @Test(
    "[GATE-2] members and names that a type does not have are refused, or discarded, as in protobuf's own reader",
    .timeLimit(.minutes(5)))
  func strangeMembers() throws {
    try compare(made: "strange", read: "judge") { contract, line in
      let parts = line.split(separator: " ")
      let type = try #require(contract.message(named: String(parts[0])))
      let json = [UInt8](try #require(Data(base64Encoded: String(parts[1]))))
      let answers = [UnknownMembers.refused, .discarded].map { unknown in
        let wire = json.withUnsafeBufferPointer {
          try? contract.protobuf(fromJSON: $0, type, unknown: unknown, in: .assumed())
        }
        return wire.map { Data($0).base64EncodedString() } ?? "-"
      }
      return answers.joined(separator: " ")
    }
  }

  /// Has the peer make 12 lines for each type of the suite, and judge the answers.
  private func compare(
    made: String, read: String, _ answer: (Contract, Substring) throws -> String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let contract = try Contract(descriptorSets: Self.sets, types: ["kinds.v1.Kinds"])
    for (index, set) in Self.sets.enumerated() {
      try Data(set).write(to: folder.appending(path: "\(index).binpb"))
    }
    let types = Set(contract.messageNames).sorted()
    try Data(types.joined(separator: "\n").utf8).write(to: folder.appending(path: "types"))
    try python(made, folder.path, "33", "12")
    let lines = try String(contentsOf: folder.appending(path: "messages"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == types.count * 12)
    let answers = try lines.map { try answer(contract, $0) }
    try Data(answers.joined(separator: "\n").utf8).write(to: folder.appending(path: "answers"))
    try python(read, folder.path)
  }

  private func python(_ arguments: String...) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = tests.appendingPathComponent("../../.venv/bin/python").standardized
    process.arguments = [tests.appendingPathComponent("Peers/random_messages.py").path] + arguments
    let complaint = Pipe()
    process.standardError = complaint
    try Children.start { try process.run() }
    let said = try complaint.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments[0]): \(String(decoding: said.suffix(2_000), as: UTF8.self))")
  }
}
