import GatewayProtocols
import HTTPTypes
import TTRPC
import WorkerPool

/// The first byte chooses the protocol, the second the method's shape, its limit and whether gzip is announced, the third how the rest is
/// cut. The rest is the request's body; of a GET it is the query, of a WebSocket each line is a message.
enum WebFuzzing {
  private static let types = [
    "application/json", "application/proto", "application/connect+json", "application/connect+proto",
    "application/grpc", "application/grpc+json", "application/grpc-web", "application/grpc-web+json",
    "application/grpc-web-text", "application/grpc-web-text+proto",
  ]

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 3 else { return }
    let (kind, choice, cut) = (Int(bytes[0]) % (types.count + 2), bytes[1], Int(bytes[2]))
    let shape = CallShape(
      clientStreams: choice & 1 != 0, serverStreams: choice & 2 != 0, hasNoSideEffects: choice & 4 != 0,
      maxMessageBytes: choice & 8 != 0 ? 16 : 4_096)
    let body = Array(bytes.dropFirst(3))
    if kind == types.count { return socket(body, shape) }
    var request = HTTPRequest(method: .post, scheme: "https", authority: "x", path: "/s/m")
    if kind > types.count {
      request.method = .get
      request.path = "/s/m?" + String(decoding: body, as: UTF8.self)
    } else {
      request.headerFields[.contentType] = types[kind]
    }
    if choice & 16 != 0 {
      for name in ["content-encoding", "connect-content-encoding", "grpc-encoding"] {
        HTTPField.Name(name).map { request.headerFields[$0] = "gzip" }
      }
    }
    let start = WebCall.start(request, shape, version: .http2, detailText: { _ in nil })
    guard case .call(let call, let messages) = start else { return }
    if let messages = try? expanded(messages, call) { look(messages, call) }
    if request.method == .get { return }
    let whole = outcome(of: call, [body[...]])
    let pieces = outcome(of: call, pieces(of: body, cut))
    // Of two faults the one that comes first in pieces may not be the one that is told of the whole.
    precondition((whole.code == nil) == (pieces.code == nil), "a body ends otherwise in pieces: \(whole), \(pieces)")
    if whole.code == nil { precondition(whole.messages == pieces.messages, "a body is read otherwise in pieces") }
    look(pieces.messages, call)
  }

  private static func pieces(of body: [UInt8], _ cut: Int) -> [ArraySlice<UInt8>] {
    let size = cut % 7 + 1
    return stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
  }

  private static func socket(_ body: [UInt8], _ shape: CallShape) {
    let call = WebCall.socket(shape, detailText: { _ in nil })
    look(outcome(of: call, body.split(separator: UInt8(ascii: "\n"))).messages, call)
  }

  /// The messages, and with which code the request is refused; `nil` where it is not.
  private static func outcome(of call: WebCall, _ parts: [ArraySlice<UInt8>]) -> (messages: [[UInt8]], code: Code?) {
    var (call, messages) = (call, [[UInt8]]())
    do throws(Status) {
      for part in parts { messages += try expanded(try call.receive(part), call) }
      messages += try expanded(try call.receiveEnd(), call)
      let message = call.compression.compressed(Array("{}".utf8), in: .assumed())
      let answer = [call.open(), call.send(message ?? EncodedMessage([])), call.end(nil)]
      precondition(answer.contains { $0.isEnd }, "an answer has no end")
      return (messages, nil)
    } catch {
      precondition(call.end(error).isEnd, "a refusal is no end")
      return (messages, error.code)
    }
  }

  private static func expanded(_ messages: [EncodedMessage], _ call: WebCall) throws(Status) -> [[UInt8]] {
    let turn = BoundedTurn.assumed()
    var all: [[UInt8]] = []
    for message in messages { all.append(try call.compression.expanded(message, in: turn) ?? []) }
    return all
  }

  private static func look(_ messages: [[UInt8]], _ call: WebCall) {
    precondition(messages.allSatisfy { $0.count <= call.maxMessageBytes }, "a message is longer than its limit")
  }
}
