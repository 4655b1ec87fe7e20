import ArgumentParser
import Foundation
import ProtobufC
import ProtobufDescriptor

/// Makes Swift from .proto files, and the C by which libprotobuf-c packs and unpacks its messages.
@main
struct StubGenerator: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "StubGenerator",
    abstract: "Makes Swift messages, service protocols and clients from .proto files.",
    discussion: """
      EXAMPLE
        protoc -I Proto --include_imports --include_source_info --descriptor_set_out=all.ds tandem/x/v1/x.proto
        StubGenerator generate all.ds --modules Proto/modules.json

      Proto/generate does all of it.
      """,
    subcommands: [Generate.self, MapEnums.self, ListReasons.self])
}

/// Writes the modules.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the Swift and C targets of every module; files that are no longer made are removed.")

  @Argument(help: "FileDescriptorSet from protoc, with imports and source information.") var descriptors: String
  @Option(help: "Which .proto files make which module (JSON).") var modules: String
  @Option(help: "A module map whose modules others have made, to import from (JSON).") var uses: [String] = []
  @Option(help: "Folder that the module map's folders are relative to.") var root: String = "."

  func run() throws {
    let map = try ModuleMap.read(modules)
    let schema = try Schema(FileDescriptorSet.read(descriptors), map.using(uses.map(ModuleMap.read)))
    let output = OutputTree(root: URL(fileURLWithPath: root))
    for module in map.modules {
      let files = try ModuleEmitter(schema: schema, module: module).emit()
      try output.replace(["\(module.folder)/\(module.name)", "\(module.folder)/C\(module.name)"], with: files)
    }
  }
}

/// Writes the Swift between enums of the contract and those of domains.
struct MapEnums: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enums", abstract: "Writes the maps between enums of the contract and those of domains.")

  @Argument(help: "FileDescriptorSet from protoc, with imports.") var descriptors: String
  @Option(help: "Which .proto files make which module (JSON).") var modules: String
  @Option(help: "Which enums belong together (JSON).") var maps: String
  @Option(help: "Folder that the targets' folders are relative to.") var root: String = "."

  func run() throws {
    let schema = try Schema(FileDescriptorSet.read(descriptors), ModuleMap.read(modules))
    let output = OutputTree(root: URL(fileURLWithPath: root))
    for target in try EnumMaps.read(maps).targets {
      let emitter = EnumMapEmitter(schema: schema, target: target)
      try output.replace([], with: [emitter.path: Data(emitter.emit().utf8)])
    }
  }
}

/// Writes every reason of the contract as data.
struct ListReasons: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reasons", abstract: "Writes the reasons that the contract's comments name as JSON.")

  @Argument(help: "FileDescriptorSet from protoc, with imports and source information.") var descriptors: String
  @Option(help: "Which .proto files make which module (JSON).") var modules: String
  @Option(help: "Where to write the JSON.") var output: String

  func run() throws {
    let schema = try Schema(FileDescriptorSet.read(descriptors), ModuleMap.read(modules))
    try ReasonsDocument(schema).json().write(to: URL(fileURLWithPath: output))
  }
}

extension FileDescriptorSet {
  fileprivate static func read(_ path: String) throws -> FileDescriptorSet {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    do throws(ProtobufError) {
      return try FileDescriptorSet(serialized: bytes)
    } catch {
      throw GeneratorError(element: path, reason: "is not a FileDescriptorSet (\(error))")
    }
  }
}
