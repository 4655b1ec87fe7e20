import ProtobufDescriptor

/// What emitters need to know about the .proto file they work on.
struct FileContext {
  let schema: Schema
  let file: FileDescriptorProto
  let module: ModuleMap.Module
  let source: Source

  init(_ schema: Schema, _ file: FileDescriptorProto, _ module: ModuleMap.Module) {
    self.schema = schema
    self.file = file
    self.module = module
    source = Source(file)
  }

  func failure(_ element: String, _ path: [Int32], _ reason: String) -> GeneratorError {
    GeneratorError(file: file.path, line: source.line(path), element: element, reason: reason)
  }

  /// The full name of an element at the top level of the file.
  func qualified(_ name: String) -> String { file.package.map { "\($0).\(name)" } ?? name }

  /// The modules whose messages and enums the file names, without its own.
  func imports(_ types: [String]) -> [String] {
    Set(types.map { schema.entry($0).module }).subtracting([module.name]).sorted()
  }
}

/// Field numbers of descriptor.proto that make up the path to an element's location.
enum Path {
  static let filePackage: Int32 = 2
  static let fileMessages: Int32 = 4
  static let fileEnums: Int32 = 5
  static let fileServices: Int32 = 6
  static let fileExtensions: Int32 = 7
  static let messageFields: Int32 = 2
  static let messageMessages: Int32 = 3
  static let messageEnums: Int32 = 4
  static let messageOneofs: Int32 = 8
  static let enumValues: Int32 = 2
  static let serviceMethods: Int32 = 2
}
