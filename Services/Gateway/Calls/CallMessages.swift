import FieldViolations
import GatewayProtocols
import GatewayTranscoder
import TTRPC
import WorkerPool

/// Converts the messages of a call from the client's form, JSON or protobuf and perhaps compressed, into the service's, and back.
struct CallMessages: Sendable {
  let contract: Contract
  let codec: Codec
  let compression: MessageCompression
  /// The types of the messages; `nil` for a method that has no JSON.
  let input: Contract.MessageReference?
  let output: Contract.MessageReference?
  /// What happens to members of JSON that the message does not have.
  let unknown: UnknownMembers

  /// A message of the client's that the service takes as it is.
  func unchanged(_ message: EncodedMessage) -> [UInt8]? {
    codec == .proto && !message.isCompressed ? message.bytes : nil
  }

  /// A message of the service's that the client takes as it is.
  func unchanged(_ message: [UInt8]) -> EncodedMessage? {
    codec == .proto && !compression.compressesAnswers ? EncodedMessage(message) : nil
  }

  /// What the service is sent of a message of the client's; `nil` where it is longer than the turn may read.
  func forService(_ message: EncodedMessage, in turn: borrowing BoundedTurn) throws(Status) -> [UInt8]? {
    guard let bytes = try compression.expanded(message, in: turn) else { return nil }
    guard codec == .json else { return bytes }
    guard let input else { throw Self.withoutJSON }
    do throws(TranscodingError) {
      return try bytes.withUnsafeBufferPointer { bytes throws(TranscodingError) in
        try contract.protobuf(fromJSON: bytes, input, unknown: unknown, in: turn)
      }
    } catch {
      throw Self.status(of: error)
    }
  }

  /// What the client is sent of a message of the service's; `nil` where it, or its JSON, is longer than the turn may read.
  func forClient(_ message: [UInt8], in turn: borrowing BoundedTurn) throws(Status) -> EncodedMessage? {
    guard codec == .json else { return compression.compressed(message, in: turn) }
    guard let output else { throw Self.withoutJSON }
    guard message.count <= turn.maxBytes else { return nil }
    let json: [UInt8]
    do throws(TranscodingError) {
      json = try message.withUnsafeBufferPointer { bytes throws(TranscodingError) in
        try contract.json(fromProtobuf: bytes, output, in: turn)
      }
    } catch {
      throw Status(.internal, "The service's answer has no JSON")
    }
    return compression.compressed(json, in: turn)
  }

  private static var withoutJSON: Status { Status(.unimplemented, "The method has no JSON") }

  private static func status(of error: TranscodingError) -> Status {
    guard !error.field.isEmpty else { return Status(.invalidArgument, reason: "MALFORMED_MESSAGE", error.description) }
    return .invalidArgument([.init(field: error.field, description: error.description)])
  }
}
