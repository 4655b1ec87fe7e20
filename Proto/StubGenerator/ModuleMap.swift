import Foundation

/// Which .proto files make which Swift module; read from `Proto/modules.json`.
struct ModuleMap: Decodable, Equatable {
  /// One Swift module and the C module behind it.
  struct Module: Decodable, Equatable {
    /// Name of the Swift target; the C target has a C before it.
    var name: String
    /// Folder of both targets, relative to the root of the repository.
    var folder: String
    /// Paths of the .proto files, as their importers write them.
    var files: [String]
  }

  /// All modules, in any order.
  var modules: [Module]

  /// The module that a .proto file belongs to.
  func module(of file: String) -> Module? { modules.first { $0.files.contains(file) } }

  /// With the modules of other maps, which are imported and not made; a file that is in both belongs to this one's.
  func using(_ others: [ModuleMap]) -> ModuleMap { ModuleMap(modules: modules + others.flatMap(\.modules)) }

  static func read(_ path: String) throws -> ModuleMap {
    do {
      return try JSONDecoder().decode(ModuleMap.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw GeneratorError(element: path, reason: "cannot be read as a module map: \(error)")
    }
  }
}
