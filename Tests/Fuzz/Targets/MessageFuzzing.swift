import EchoV1
import GRPCHealth
import GoogleProtobuf
import GoogleRPC
import KindsV1
import ProtobufC
import ProtobufDescriptor
import TTRPCWire
import TandemIdentity

/// The first byte chooses the message type.
enum MessageFuzzing {
  typealias Check = @Sendable (UnsafeRawBufferPointer) -> Void

  private static let checks: [Check] = [
    check(Kinds.self),
    check(Tree.self),
    check(Everything.self),
    check(Names.self),
    check(Msg.self),
    check(GoogleProtobuf.Timestamp.self),
    check(GoogleProtobuf.Duration.self),
    check(GoogleProtobuf.FieldMask.self),
    check(GoogleRPC.Status.self),
    check(GoogleRPC.BadRequest.self),
    check(GoogleRPC.ErrorInfo.self),
    check(GoogleRPC.RetryInfo.self),
    check(TTRPCWire.Request.self),
    check(TTRPCWire.Response.self),
    check(HealthCheckRequest.self),
    check(FileDescriptorSet.self),
    check(RegisterRequest.self),
    check(LoginRequest.self),
    check(Profile.self),
    check(UpdateProfileRequest.self),
  ]

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first else { return }
    checks[Int(choice) % checks.count](UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  /// Decodes a message of the type, and sees it survive being sent on.
  static func check<Message: ProtobufMessage>(_ type: Message.Type) -> Check {
    { bytes in
      let asRequest = try? RequestDecoder<Message>().decode(bytes, in: Arena(firstBlock: 4_096))
      let message: Message
      do { message = try Message.decode(bytes, in: Arena(firstBlock: 4_096)) } catch {
        return precondition(asRequest == nil, "a request is read that is no message")
      }
      // Compared as bytes: a NaN is not equal to itself.
      let encoded = message.serialized()
      let again: Message
      do { again = try Message(serialized: encoded) } catch {
        preconditionFailure("\(type) encodes to what it does not decode: \(error)")
      }
      precondition(again.serialized() == encoded, "\(type) changes by being sent on")
      if let asRequest { precondition(asRequest.serialized() == encoded, "a request is read as another \(type)") }
    }
  }
}
