import Foundation
import ProtobufC
import ProtobufDescriptor
import TestSupport

@testable import StubGenerator

/// .proto files of a test, compiled by protoc.
struct Contract {
  let descriptors: FileDescriptorSet

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Compiles files of the repository.
  init(files: [String], includes: [String]) throws {
    descriptors = try Self.compile(files, includes.map { Self.root.appending(path: $0).path })
  }

  /// Compiles one file, `test.proto`, with this content.
  init(_ content: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try content.write(to: folder.appending(path: "test.proto"), atomically: true, encoding: .utf8)
    descriptors = try Self.compile(["test.proto"], [folder.path, Self.root.appending(path: "Proto").path])
  }

  /// What the generator makes of `test.proto`, by file name.
  func generate() throws -> [String: String] {
    let modules = ModuleMap(modules: [
      .init(name: "Test", folder: "Generated", files: ["test.proto"]),
      .init(
        name: "Others", folder: "Generated",
        files: descriptors.file.compactMap(\.name).filter { $0 != "test.proto" }),
    ])
    let schema = try Schema(descriptors, modules)
    guard let file = descriptors.file.first(where: { $0.name == "test.proto" }) else { return [:] }
    let made = try FileEmitter(context: FileContext(schema, file, modules.modules[0])).emit()
    return Dictionary(uniqueKeysWithValues: made.map { ($0.name, $0.content) })
  }

  /// What the generator says is wrong with `test.proto`, or nil.
  func complaint() -> String? {
    do {
      _ = try generate()
      return nil
    } catch {
      return "\(error)"
    }
  }

  struct Failure: Error { let reason: String }

  private static func compile(_ files: [String], _ includes: [String]) throws -> FileDescriptorSet {
    let output = FileManager.default.temporaryDirectory.appending(path: "descriptors-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["protoc", "--include_imports", "--include_source_info", "--descriptor_set_out=\(output.path)"]
      + includes.flatMap { ["-I", $0] } + files
    try Children.start { try process.run() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(reason: "protoc refused \(files)") }
    return try FileDescriptorSet(serialized: Data(contentsOf: output))
  }
}
