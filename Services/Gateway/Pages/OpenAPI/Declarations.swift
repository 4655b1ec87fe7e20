import ProtobufC
import ProtobufDescriptor

/// What descriptors declare, by full names, with the comments of the proto files where the descriptors have them.
struct Declarations {
  struct Message {
    let fullName: String
    let descriptor: DescriptorProto
    let comment: String
    /// In the order of the fields.
    let fieldComments: [String]
  }

  struct Enumeration {
    let fullName: String
    let descriptor: EnumDescriptorProto
    let comment: String
    /// In the order of the values.
    let valueComments: [String]
  }

  struct Method {
    let service: String
    let descriptor: MethodDescriptorProto
    let comment: String

    var path: String { "/\(service)/\(descriptor.name ?? "")" }
  }

  struct Service {
    let fullName: String
    let comment: String
    let methods: [Method]
  }

  private(set) var messages: [String: Message] = [:]
  private(set) var enums: [String: Enumeration] = [:]
  private(set) var services: [Service] = []

  /// - Parameter sets: serialized `google.protobuf.FileDescriptorSet`s; of a file that is in several, the one with comments counts.
  init(descriptorSets sets: [[UInt8]]) throws(ProtobufError) {
    var (files, names): ([String: FileDescriptorProto], [String]) = ([:], [])
    for set in sets {
      for file in try FileDescriptorSet(serialized: set).file {
        let name = file.name ?? ""
        if files[name] == nil { names.append(name) }
        if files[name] == nil || file.sourceCodeInfo != nil { files[name] = file }
      }
    }
    for name in names { if let file = files[name] { add(file) } }
  }

  /// The numbers of the members of descriptors, of which the paths to comments consist.
  private enum Place {
    /// Of a file.
    static let messages: Int32 = 4
    static let enums: Int32 = 5
    static let services: Int32 = 6
    /// Of a message.
    static let fields: Int32 = 2
    static let nestedMessages: Int32 = 3
    static let nestedEnums: Int32 = 4
    /// Of an enum.
    static let values: Int32 = 2
    /// Of a service.
    static let methods: Int32 = 2
  }

  private mutating func add(_ file: FileDescriptorProto) {
    var comments: [[Int32]: String] = [:]
    for location in file.sourceCodeInfo?.location ?? [] {
      if let text = location.leadingComments ?? location.trailingComments { comments[location.path] = Self.bare(text) }
    }
    let package = file.package ?? ""
    for (index, message) in file.messageType.enumerated() {
      add(message, in: package, at: [Place.messages, Int32(index)], comments)
    }
    for (index, type) in file.enumType.enumerated() {
      add(type, in: package, at: [Place.enums, Int32(index)], comments)
    }
    for (index, service) in file.service.enumerated() {
      let (name, path) = (Self.join(package, service.name), [Place.services, Int32(index)])
      let methods = service.method.enumerated().map { place, method in
        Method(
          service: name, descriptor: method, comment: comments[path + [Place.methods, Int32(place)], default: ""])
      }
      services.append(Service(fullName: name, comment: comments[path, default: ""], methods: methods))
    }
  }

  private mutating func add(
    _ message: DescriptorProto, in scope: String, at path: [Int32], _ comments: [[Int32]: String]
  ) {
    let name = Self.join(scope, message.name)
    messages[name] = Message(
      fullName: name, descriptor: message, comment: comments[path, default: ""],
      fieldComments: message.field.indices.map { comments[path + [Place.fields, Int32($0)], default: ""] })
    for (index, nested) in message.nestedType.enumerated() {
      add(nested, in: name, at: path + [Place.nestedMessages, Int32(index)], comments)
    }
    for (index, type) in message.enumType.enumerated() {
      add(type, in: name, at: path + [Place.nestedEnums, Int32(index)], comments)
    }
  }

  private mutating func add(
    _ type: EnumDescriptorProto, in scope: String, at path: [Int32], _ comments: [[Int32]: String]
  ) {
    let name = Self.join(scope, type.name)
    enums[name] = Enumeration(
      fullName: name, descriptor: type, comment: comments[path, default: ""],
      valueComments: type.value.indices.map { comments[path + [Place.values, Int32($0)], default: ""] })
  }

  /// A comment without the space after each comment sign.
  private static func bare(_ comment: String) -> String {
    var lines = comment.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(" ") ? line.dropFirst() : line
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private static func join(_ scope: String, _ name: String?) -> String {
    scope.isEmpty ? name ?? "" : "\(scope).\(name ?? "")"
  }
}
