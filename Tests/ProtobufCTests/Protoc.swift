import Foundation
import TestSupport

/// protobuf's own compiler, as a reference for the wire format.
enum Protoc {
  /// The text form of a message, by `protoc --decode`.
  static func decode(_ type: String, _ bytes: [UInt8]) throws -> String {
    String(decoding: try run("--decode=\(type)", input: bytes), as: UTF8.self)
  }

  /// The wire form of a message, by `protoc --encode`.
  static func encode(_ type: String, _ text: String) throws -> [UInt8] {
    try run("--encode=\(type)", input: Array(text.utf8))
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Runs with files, as a pipe that is not read would stall a large output.
  private static func run(_ mode: String, input: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "protoc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (into, out, complaints) = (
      folder.appending(path: "in"), folder.appending(path: "out"), folder.appending(path: "err")
    )
    try Data(input).write(to: into)
    try Data().write(to: out)
    try Data().write(to: complaints)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = root
    process.arguments = [
      "protoc", "-I", "Proto", "-I", "Tests/StubGeneratorTests/Golden", mode, "kinds/v1/kinds.proto",
      "google/protobuf/descriptor.proto",
    ]
    process.standardInput = try FileHandle(forReadingFrom: into)
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: complaints)
    try Children.start { try process.run() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: try Data(contentsOf: complaints), as: UTF8.self))
    }
    return [UInt8](try Data(contentsOf: out))
  }
}
