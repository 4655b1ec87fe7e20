/// A request whose repetitions are recognised (AIP-155, C-4). Generated code conforms every message with a field `string request_id`.
public protocol IdempotentRequest: ProtobufMessage {
  /// A UUID that the client makes for a call and sends with its repetitions; empty where it repeats none.
  var requestID: String { get set }
}
