import GatewayProtocols
import HTTPTypes
import TTRPC
import Testing
import WorkerPool

extension WebCall {
  /// The messages, expanded.
  fileprivate func expanded(_ messages: [EncodedMessage]) throws(Status) -> [[UInt8]] {
    let turn = BoundedTurn.assumed()
    var all: [[UInt8]] = []
    for message in messages { all.append(try compression.expanded(message, in: turn) ?? []) }
    return all
  }

  fileprivate mutating func take(_ bytes: [UInt8]) throws(Status) -> [[UInt8]] { try expanded(try receive(bytes)) }

  fileprivate mutating func takeEnd() throws(Status) -> [[UInt8]] { try expanded(try receiveEnd()) }

  fileprivate mutating func send(_ message: [UInt8]) -> Output {
    send(compression.compressed(message, in: .assumed()) ?? EncodedMessage(message))
  }
}

@Suite struct WebCallTests {
  private static let unary = CallShape(
    clientStreams: false, serverStreams: false, hasNoSideEffects: true, maxMessageBytes: 64)
  private static let watch = CallShape(
    clientStreams: false, serverStreams: true, hasNoSideEffects: false, maxMessageBytes: 64)
  private static let bidi = CallShape(
    clientStreams: true, serverStreams: true, hasNoSideEffects: false, maxMessageBytes: 64)

  private func request(_ type: String?, _ fields: [String: String] = [:]) throws -> HTTPRequest {
    var request = HTTPRequest(method: .post, scheme: "https", authority: "x", path: "/s/m")
    request.headerFields[.contentType] = type
    for (name, value) in fields { request.headerFields[try #require(HTTPField.Name(name))] = value }
    return request
  }

  private func start(
    _ request: HTTPRequest, _ shape: CallShape, _ version: HTTPVersion = .http2
  ) -> WebCall.Start {
    WebCall.start(request, shape, version: version, detailText: { _ in nil })
  }

  private func call(
    _ type: String, _ shape: CallShape, _ fields: [String: String] = [:]
  ) throws -> WebCall {
    guard case .call(let call, _) = start(try request(type, fields), shape) else { throw Status(.internal, "no call") }
    return call
  }

  private func answer(_ start: WebCall.Start) throws -> Output {
    guard case .answer(let output) = start else { throw Status(.internal, "no answer") }
    return output
  }

  private func text(_ output: Output) -> String { String(decoding: output.body, as: UTF8.self) }

  @Test(
    "[GATE-1] the head decides: method, content type, version of HTTP",
    arguments: [
      ("application/json", 200), ("application/json; charset=utf-8", 200), ("APPLICATION/PROTO", 200),
      ("application/grpc", 200), ("application/grpc-web-text", 200), ("text/plain", 415),
      ("application/connect+json", 415), ("application/x-www-form-urlencoded", 415),
    ])
  func contentTypes(type: String, status: Int) throws {
    switch start(try request(type), Self.unary) {
    case .call: #expect(status == 200)
    case .answer(let output):
      #expect(output.head?.status.code == status)
      #expect(output.isEnd)
    }
  }

  @Test("[GATE-1] another method is 405 with Allow, an unknown type 415 with Accept-Post, bidi over HTTP/1.1 505")
  func refusedHeads() throws {
    var put = try request("application/json")
    put.method = .put
    let refused = try answer(start(put, Self.unary))
    #expect(refused.head?.status.code == 405)
    #expect(refused.head?.headerFields[.allow] == "GET, POST")
    let type = try answer(start(try request("text/html"), Self.watch))
    #expect(
      type.head?.headerFields[try #require(HTTPField.Name("accept-post"))]?.contains("application/connect+json") == true
    )
    #expect(try answer(start(try request("application/connect+json"), Self.bidi, .http1)).head?.status.code == 505)
  }

  @Test("[GATE-1] Connect unary: a message in, a message out")
  func connectUnary() throws {
    var call = try call("application/json", Self.unary)
    #expect(try call.take(Array("{\"a\"".utf8)) == [])
    #expect(try call.take(Array(":1}".utf8)) == [])
    #expect(try call.takeEnd() == [Array("{\"a\":1}".utf8)])
    let output = call.send(Array("{}".utf8))
    #expect(output.head?.status.code == 200)
    #expect(output.head?.headerFields[.contentType] == "application/json")
    #expect(output.head?.headerFields[.contentLength] == "2")
    #expect(output.isEnd)
    #expect(call.end(nil) == Output())
  }

  @Test(
    "[GATE-1] Connect's errors: code, message, details in unpadded base64, and the status of each code",
    arguments: [
      (Code.cancelled, "canceled", 499), (.invalidArgument, "invalid_argument", 400), (.notFound, "not_found", 404),
      (.aborted, "aborted", 409), (.unauthenticated, "unauthenticated", 401),
      (.resourceExhausted, "resource_exhausted", 429),
      (.unimplemented, "unimplemented", 501), (.unavailable, "unavailable", 503),
      (.deadlineExceeded, "deadline_exceeded", 504),
      (.dataLoss, "data_loss", 500), (.failedPrecondition, "failed_precondition", 400),
    ])
  func connectErrors(code: Code, name: String, status: Int) throws {
    var call = try call("application/json", Self.unary)
    let output = call.end(
      Status(code, "A \"quoted\" ä", details: [StatusDetail(typeURL: "type.googleapis.com/a.B", value: [1, 2])]))
    #expect(output.head?.status.code == status)
    #expect(
      text(output)
        == #"{"code":"\#(name)","message":"A \"quoted\" ä","details":[{"type":"a.B","value":"AQI"}]}"#)
  }

  @Test("[GATE-1] a stream of Connect ends with its own envelope, with and without an error")
  func connectStream() throws {
    var call = try call("application/connect+json", Self.watch)
    #expect(try call.take([0, 0, 0]) == [])
    #expect(try call.take([0, 2, 0x7B]) == [])
    #expect(try call.take([0x7D]) == [[0x7B, 0x7D]])
    #expect(try call.takeEnd() == [])
    let first = call.send([0x7B, 0x7D])
    #expect(first.head?.status.code == 200)
    #expect(first.body == [0, 0, 0, 0, 2, 0x7B, 0x7D])
    let end = call.end(nil)
    #expect(end.head == nil && end.isEnd)
    #expect(end.body == [2, 0, 0, 0, 2, 0x7B, 0x7D])
    var failing = try self.call("application/connect+proto", Self.watch)
    let failure = failing.end(Status(.unavailable, "x"))
    #expect(failure.head?.status.code == 200)
    #expect(Array(failure.body.dropFirst(5)) == Array(#"{"error":{"code":"unavailable","message":"x"}}"#.utf8))
  }

  @Test("[GATE-1] gRPC: the status comes in trailers, with messages and without")
  func grpc() throws {
    var call = try call("application/grpc", Self.unary, ["grpc-timeout": "250m"])
    #expect(call.timeout == .milliseconds(250))
    #expect(try call.take([0, 0, 0, 0, 1, 9]) == [[9]])
    #expect(try call.takeEnd() == [])
    #expect(call.send([7]).body == [0, 0, 0, 0, 1, 7])
    let end = call.end(nil)
    #expect(end.trailers?[try #require(HTTPField.Name("grpc-status"))] == "0")
    var failing = try self.call("application/grpc+proto", Self.unary)
    let failure = failing.end(Status(.notFound, "100 % ä"))
    #expect(failure.isEnd && failure.head?.status.code == 200)
    #expect(failure.trailers?[try #require(HTTPField.Name("grpc-status"))] == "5")
    #expect(failure.trailers?[try #require(HTTPField.Name("grpc-message"))] == "100 %25 %C3%A4")
  }

  @Test("[GATE-1] gRPC-Web: the trailers are the last envelope, in text all of it is base64")
  func grpcWeb() throws {
    var call = try call("application/grpc-web+proto", Self.unary)
    let end = call.end(nil)
    #expect(end.body.first == 0x80)
    #expect(text(end).hasSuffix("grpc-status: 0\r\n"))
    var inText = try self.call("application/grpc-web-text", Self.unary)
    // AAAAAAEJ is an envelope with one byte, in two pieces that split a group.
    #expect(try inText.take(Array("AAA".utf8)) == [])
    #expect(try inText.take(Array("AAAEJ".utf8)) == [[9]])
    #expect(text(inText.send([7])) == "AAAAAAEH")
  }

  @Test(
    "[GATE-1] what no client may send ends the call with the protocol's own error",
    arguments: [
      ([UInt8]([0xFF, 0, 0, 0, 0]), Code.invalidArgument), ([1, 0, 0, 0, 1, 0], .internal),
      ([0, 0xFF, 0xFF, 0xFF, 0xFF], .resourceExhausted), ([0, 0, 0, 0, 65], .resourceExhausted),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .unimplemented),
    ])
  func badEnvelopes(bytes: [UInt8], code: Code) throws {
    var call = try call("application/grpc", Self.unary)
    let failure = #expect(throws: Status.self) { try call.take(bytes) }
    #expect(failure?.code == code)
  }

  @Test("[GATE-1] a request that ends within a message, or without its message, is refused")
  func shortRequests() throws {
    var cut = try call("application/grpc", Self.unary)
    _ = try cut.take([0, 0, 0, 0, 9, 1])
    #expect(throws: Status.self) { try cut.takeEnd() }
    var none = try call("application/grpc", Self.unary)
    #expect(throws: Status.self) { try none.takeEnd() }
  }

  @Test("[GATE-1] gzip both ways, and a small bomb is no more than its limit")
  func gzip() throws {
    let big = [UInt8](repeating: 0x20, count: 5_000)
    var answering = try call("application/json", Self.unary, ["accept-encoding": "br, gzip;q=0.5"])
    let output = answering.send(big)
    #expect(output.head?.headerFields[.contentEncoding] == "gzip")
    #expect(output.body.count < 200)
    // The answer of one call is the compressed request of another, whose limit it breaks.
    var asking = try call("application/proto", Self.unary, ["content-encoding": "gzip"])
    _ = try asking.take(output.body)
    let failure = #expect(throws: Status.self) { try asking.takeEnd() }
    #expect(failure?.code == .resourceExhausted)
    var broken = try call("application/proto", Self.unary, ["content-encoding": "gzip"])
    _ = try broken.take([1, 2, 3])
    #expect(throws: Status.self) { try broken.takeEnd() }
    let unknown = try answer(start(try request("application/json", ["content-encoding": "br"]), Self.unary))
    #expect(unknown.head?.status.code == 501)
    #expect(text(unknown).contains("identity,gzip"))
  }

  @Test("29 A1: an event loop neither expands nor compresses more than 64 KiB, whatever a client sends")
  func longMessages() throws {
    let large = CallShape(clientStreams: true, serverStreams: true, hasNoSideEffects: false, maxMessageBytes: 1 << 20)
    var call = try call("application/grpc", large, ["grpc-encoding": "gzip", "grpc-accept-encoding": "gzip"])
    let compression = call.compression
    let long = [UInt8](repeating: 0x20, count: BoundedTurn.maxLoopBytes + 1)
    if BoundedTurn(bytes: long.count) != nil { Issue.record("a turn of \(long.count) bytes") }
    guard let turn = BoundedTurn(bytes: BoundedTurn.maxLoopBytes) else { throw Status(.internal, "no turn") }
    let plain = try compression.expanded(EncodedMessage(long), in: turn)
    #expect(plain == nil)
    let notPacked = compression.compressed(long, in: turn)
    #expect(notPacked == nil)
    let onPool = compression.compressed(long, in: .assumed())
    let packed = try #require(onPool)
    #expect(packed.isCompressed && packed.bytes.count < 1_000)
    // It is short as it comes, and long inside.
    let inside = try compression.expanded(packed, in: turn)
    #expect(inside == nil)
    let whole = try compression.expanded(packed, in: .assumed())
    #expect(whole == long)
    // Compressed by its flag, and empty.
    #expect(try call.take([1, 0, 0, 0, 0]) == [[]])
  }

  @Test(
    "[GATE-1] GET: parameters in any order, base64 of both kinds, padding or none",
    arguments: [
      ("?connect=v1&encoding=json&message=%7B%7D", "{}"), ("?message=e30&base64=1&encoding=json", "{}"),
      ("?base64=1&message=e30%3D&encoding=proto&connect=v1", "{}"), ("?encoding=json&message=", ""),
    ])
  func get(query: String, message: String) throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "x", path: "/s/m\(query)")
    guard case .call(var call, let messages) = start(request, Self.unary) else { throw Status(.internal, "no call") }
    #expect(try call.expanded(messages) == [Array(message.utf8)])
    #expect(call.send([]).head?.headerFields[.cacheControl] == "private, no-store")
  }

  @Test(
    "[GATE-1] a GET that is no call is refused",
    arguments: [
      ("?encoding=xml&message=x", 415), ("?encoding=json", 400), ("?encoding=json&message=%zz", 400),
      ("?encoding=json&message=x&message=y", 400), ("?encoding=json&message=x&connect=v2", 400),
      ("?encoding=json&message=x&compression=br", 501), ("?encoding=json&message=a&base64=1", 400),
    ])
  func badGet(query: String, status: Int) throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "x", path: "/s/m\(query)")
    #expect(try answer(start(request, Self.unary)).head?.status.code == status)
  }

  @Test(
    "[GATE-3] timeouts are read to the letter",
    arguments: [
      ("application/json", "connect-timeout-ms", "1500", Duration.milliseconds(1_500)),
      ("application/json", "connect-timeout-ms", "12345678901", nil),
      ("application/json", "connect-timeout-ms", "-1", nil),
      ("application/grpc", "grpc-timeout", "2H", .seconds(7_200)), ("application/grpc", "grpc-timeout", "2x", nil),
      ("application/grpc", "grpc-timeout", "123456789S", nil), ("application/grpc", "grpc-timeout", "S", nil),
    ] as [(String, String, String, Duration?)])
  func timeouts(type: String, field: String, value: String, timeout: Duration?) throws {
    switch start(try request(type, [field: value]), Self.unary) {
    case .call(let call, _): #expect(call.timeout == timeout)
    case .answer: #expect(timeout == nil)
    }
  }

  @Test("[GATE-1] bidi over HTTP/1.1 is refused in the words of its protocol")
  func bidiOverHTTP1() throws {
    let output = try answer(start(try request("application/grpc"), Self.bidi, .http1))
    #expect(output.head?.status.code == 200)
    #expect(output.trailers?[try #require(HTTPField.Name("grpc-status"))] == "12")
  }

  @Test("[GATE-3] a WebSocket's first message is its metadata, the others are the call's")
  func socket() throws {
    var call = WebCall.socket(Self.bidi, detailText: { _ in nil })
    #expect(!call.isReady)
    let first = #"{"authorization":"Bearer \u0061b\/c", "connect-timeout-ms":"1500","other":"x"}"#
    #expect(try call.take(Array(first.utf8)) == [])
    #expect(call.isReady)
    #expect(call.metadata?[.authorization] == "Bearer ab/c")
    #expect(call.timeout == .milliseconds(1_500))
    #expect(try call.take(Array("{}".utf8)) == [Array("{}".utf8)])
    #expect(try call.take(Array(#"{"a":1}"#.utf8)) == [Array(#"{"a":1}"#.utf8)])
    #expect(call.open() == Output())
    #expect(call.send(Array("{}".utf8)) == Output(body: Array("{}".utf8)))
    #expect(try call.takeEnd() == [])
    #expect(call.end(nil) == Output(body: Array("{}".utf8), isEnd: true))
    #expect(call.end(nil) == Output())
  }

  @Test("[GATE-3] a WebSocket ends with its error, and takes as many messages as the method does")
  func socketErrors() throws {
    var call = WebCall.socket(Self.watch, detailText: { _ in nil })
    #expect(throws: Status.self) { try call.takeEnd() }
    #expect(try call.take(Array(" {} ".utf8)) == [])
    #expect(throws: Status.self) { try call.take([UInt8](repeating: 0x20, count: 64 * 6 + 1_025)) }
    _ = try call.take(Array("{}".utf8))
    #expect(throws: Status.self) { try call.take(Array("{}".utf8)) }
    let end = call.end(Status(.notFound, "x"))
    #expect(text(end) == #"{"error":{"code":"not_found","message":"x"}}"# && end.isEnd && end.head == nil)
  }

  @Test(
    "[GATE-3] metadata that is no object of texts is refused",
    arguments: [
      "", "[]", "{", #"{"a":1}"#, #"{"a":"b"}x"#, #"{"a":"b",}"#, "null", #"{"authorization":"a\u000ab"}"#,
      #"{"authorization":"a","authorization":"b"}"#, #"{"connect-timeout-ms":"x"}"#, #"{"a":"\ud800"}"#, #"{"a":"b"#,
    ])
  func socketMetadata(text: String) {
    var call = WebCall.socket(Self.bidi, detailText: { _ in nil })
    #expect(throws: Status.self) { try call.take(Array(text.utf8)) }
    #expect(!call.isReady)
  }

  @Test("[GATE-3] metadata is as long as the head of a request at most")
  func longSocketMetadata() {
    var call = WebCall.socket(Self.bidi, detailText: { _ in nil })
    let text = "{\"a\":\"\(String(repeating: "x", count: WebCall.maxMetadataBytes))\"}"
    let refused = #expect(throws: Status.self) { try call.take(Array(text.utf8)) }
    #expect(refused?.errorInfo?.reason == "MESSAGE_TOO_LARGE" && !call.isReady)
  }
}
