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
    let folder = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let contract = try Contract(descriptorSets: Self.sets, types: ["kinds.v1.Kinds"])
    for (index, set) in Self.sets.enumerated() {
      try Data(set).write(to: folder.appending(path: "\(index).binpb"))
    }
    let types = Set(contract.messageNames).sorted()
    try Data(types.joined(separator: "\n").utf8).write(to: folder.appending(path: "types"))
    try python("make", folder.path, "33", "12")
    let lines = try String(contentsOf: folder.appending(path: "messages"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == types.count * 12)

    let answers = try lines.map { line in
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      let type = try #require(contract.message(named: String(parts[0])))
      let wire = [UInt8](try #require(Data(base64Encoded: String(parts[1]))))
      let json = [UInt8](try #require(Data(base64Encoded: String(parts[2]))))
      let ownWire = try json.withUnsafeBufferPointer { try contract.protobuf(fromJSON: $0, type, unknown: .refused) }
      let ownJSON = try wire.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, type) }
      return "\(Data(ownWire).base64EncodedString()) \(Data(ownJSON).base64EncodedString())"
    }

    try Data(answers.joined(separator: "\n").utf8).write(to: folder.appending(path: "answers"))
    try python("check", folder.path)
  }

  private func python(_ arguments: String...) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = tests.appendingPathComponent("../../.venv/bin/python").standardized
    process.arguments = [tests.appendingPathComponent("Peers/random_messages.py").path] + arguments
    try Children.start { try process.run() }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments[0])")
  }
}
