import GatewayTranscoder
import GoogleRPC
import KindsV1
import TandemCatalog
import TandemChat
import TandemIdentity
import TandemImporter
import TandemLending
import TandemMatching
import TandemNotification
import TandemTracking
import WorkerPool

/// The first line names a message type of the contract, whatever it is otherwise chooses one; the rest is taken for its JSON, and for its
/// protobuf.
enum TranscoderFuzzing {
  private static let contract: Contract = {
    let sets = [
      KindsV1.FileDescriptors.serialized, GoogleRPC.FileDescriptors.serialized,
      TandemIdentity.FileDescriptors.serialized,
      TandemNotification.FileDescriptors.serialized, TandemCatalog.FileDescriptors.serialized,
      TandemLending.FileDescriptors.serialized, TandemMatching.FileDescriptors.serialized,
      TandemTracking.FileDescriptors.serialized, TandemChat.FileDescriptors.serialized,
      TandemImporter.FileDescriptors.serialized,
    ]
    do {
      return try Contract(
        descriptorSets: sets, types: ["kinds.v1.Kinds", "google.rpc.BadRequest", "google.rpc.RetryInfo"])
    } catch {
      preconditionFailure("the contract is not compiled: \(error)")
    }
  }()
  private static let names = contract.messageNames.sorted()

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let chosen = line.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % names.count
    let type =
      contract.message(named: String(decoding: line, as: UTF8.self)) ?? contract.message(named: names[chosen])
    guard let type else { preconditionFailure("\(names[chosen]) has no table") }
    let content = Array(bytes.dropFirst(line.count + 1))
    if let message = protobuf(content, type, unknown: .discarded) { look(message, type) }
    if let text = json(content, type) { look(text, type) }
  }

  /// What was read of JSON can be written, and read and written once more as the same.
  private static func look(_ message: [UInt8], _ type: Contract.MessageReference) {
    guard let text = json(message, type) else { preconditionFailure("a message that was read of JSON has no JSON") }
    look(text, type)
  }

  private static func look(_ text: String, _ type: Contract.MessageReference) {
    guard let message = protobuf(Array(text.utf8), type, unknown: .refused) else {
      preconditionFailure("JSON that was written is not read: \(text)")
    }
    guard let again = json(message, type) else { preconditionFailure("a message that was read has no JSON: \(text)") }
    precondition(again == text, "JSON changes by being read and written: \(text), \(again)")
  }

  private static func protobuf(
    _ json: [UInt8], _ type: Contract.MessageReference, unknown: UnknownMembers
  ) -> [UInt8]? {
    json.withUnsafeBufferPointer { try? contract.protobuf(fromJSON: $0, type, unknown: unknown, in: .assumed()) }
  }

  private static func json(_ message: [UInt8], _ type: Contract.MessageReference) -> String? {
    message.withUnsafeBufferPointer { bytes in
      (try? contract.json(fromProtobuf: bytes, type, in: .assumed())).map { json in
        guard let text = String(validating: json, as: UTF8.self) else { preconditionFailure("JSON that is not UTF-8") }
        return text
      }
    }
  }
}
