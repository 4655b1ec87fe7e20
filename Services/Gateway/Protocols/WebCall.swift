import GatewayText
import HTTPTypes
import TTRPC

/// One call of a client by Connect, gRPC or gRPC-Web: what arrives becomes messages, and messages become an answer.
///
/// A state machine without input and output: bytes in, messages out; messages in, parts of an answer out. Its states:
/// the request is open until ``receiveEnd()``; the answer is not begun, begun with the first message, and ended by
/// ``end(_:)``.
public struct WebCall: Sendable {
  public let dialect: Dialect
  public let codec: Codec
  /// How long the client waits; `nil` where it does not say.
  public private(set) var timeout: Duration?
  /// The metadata of a WebSocket, once its first message is there; each field comes before that of the head.
  public private(set) var metadata: HTTPFields?
  private let shape: CallShape
  private let contentType: String
  /// How its messages are compressed.
  public let compression: MessageCompression
  private let detailText: DetailText
  private var envelopes: EnvelopeReader
  private var text = Base64Stream()
  private var body: [UInt8] = []
  private var received = 0
  private var progress = Progress.notBegun

  private enum Progress {
    case notBegun, begun, ended
  }

  /// What a request's head leads to.
  public enum Start: Sendable {
    /// A call, whose messages follow. Those of a GET are here already.
    case call(WebCall, messages: [EncodedMessage])
    /// It is answered without a call. The rest of the request is of no account.
    case answer(Output)
  }
}

// MARK: The head

extension WebCall {
  /// Reads the head of a request for a method.
  public static func start(
    _ request: HTTPRequest, _ shape: CallShape, version: HTTPVersion, detailText: @escaping DetailText
  ) -> Start {
    if request.method == .get, shape.isUnary, shape.hasNoSideEffects {
      return get(request, shape, detailText: detailText)
    }
    guard request.method == .post else {
      return .answer(
        .answer(
          405, "application/json", Status(.unimplemented, "Only POST calls this method").connectJSON(detailText),
          [(.allow, shape.isUnary && shape.hasNoSideEffects ? "GET, POST" : "POST")]))
    }
    guard let (type, dialect, codec) = ContentType.read(request.headerFields[.contentType] ?? ""),
      !dialect.isConnect || (dialect == .connectUnary) == shape.isUnary
    else {
      let offered = ContentType.offered(shape)
      return .answer(
        .answer(
          415, "application/json",
          Status(.unimplemented, "The content type must be one of \(offered)").connectJSON(detailText),
          [(.acceptPost, offered)]))
    }
    let start = WebCall.post(request, shape, type, dialect, codec, detailText)
    // An answer that begins while the request goes on is more than HTTP/1.1 clients can take.
    guard version == .http1, shape.clientStreams, shape.serverStreams else { return start }
    let status = Status(.unimplemented, "A stream in both directions needs HTTP/2, or a WebSocket below /ws/")
    guard !dialect.isConnect, case .call(var call, _) = start else {
      return .answer(.answer(505, "application/json", status.connectJSON(detailText)))
    }
    return .answer(call.end(status))
  }

  private static func post(
    _ request: HTTPRequest, _ shape: CallShape, _ type: String, _ dialect: Dialect, _ codec: Codec,
    _ detailText: @escaping DetailText
  ) -> Start {
    let fields = request.headerFields
    let (encodingField, acceptField): (HTTPField.Name, HTTPField.Name) =
      switch dialect {
      case .connectUnary, .connectGet, .webSocket: (.contentEncoding, .acceptEncoding)
      case .connectStream: (.connectContentEncoding, .connectAcceptEncoding)
      case .grpc, .grpcWeb, .grpcWebText: (.grpcEncoding, .grpcAcceptEncoding)
      }
    let encoding = fields[encodingField] ?? "identity"
    let compression = Compression(rawValue: encoding)
    var timeout: Duration?
    var refusal: Status?
    do throws(Status) {
      timeout = try self.timeout(fields, dialect)
      if dialect.isConnect, let version = fields[.connectProtocolVersion], version != "1" {
        throw Status(.invalidArgument, "Connect-Protocol-Version must be 1")
      }
    } catch {
      refusal = error
    }
    if compression == nil {
      refusal = Status(.unimplemented, "Unknown compression \"\(encoding)\"; there is \(Compression.names)")
    }
    var call = WebCall(
      dialect: dialect, codec: codec, timeout: timeout, shape: shape, contentType: type,
      requestCompression: compression ?? .identity, responseCompression: .accepted(by: fields[acceptField]),
      detailText: detailText)
    if let refusal { return .answer(call.end(refusal)) }
    return .call(call, messages: [])
  }

  private init(
    dialect: Dialect, codec: Codec, timeout: Duration?, shape: CallShape, contentType: String,
    requestCompression: Compression, responseCompression: Compression, detailText: @escaping DetailText
  ) {
    (self.dialect, self.codec, self.timeout, self.shape) = (dialect, codec, timeout, shape)
    (self.contentType, self.detailText) = (contentType, detailText)
    compression = MessageCompression(
      request: requestCompression, response: responseCompression, maxBytes: codec.limit(shape.maxMessageBytes))
    envelopes = EnvelopeReader(limit: compression.maxBytes)
  }

  /// The call of a WebSocket, whose head says nothing of it.
  public static func socket(_ shape: CallShape, detailText: @escaping DetailText) -> WebCall {
    WebCall(
      dialect: .webSocket, codec: .json, timeout: nil, shape: shape, contentType: "", requestCompression: .identity,
      responseCompression: .identity, detailText: detailText)
  }

  /// Whether it is known in whose name the call is, and how long it may take.
  public var isReady: Bool { dialect != .webSocket || metadata != nil }

  /// Bytes of the longest message as the client writes it.
  public var maxMessageBytes: Int { compression.maxBytes }

  private static func timeout(_ fields: HTTPFields, _ dialect: Dialect) throws(Status) -> Duration? {
    if dialect.isConnect {
      guard let text = fields[.connectTimeout] else { return nil }
      guard text.utf8.count <= 10, let number = digits(text) else {
        throw Status(.invalidArgument, "Connect-Timeout-Ms must be a number of at most 10 digits")
      }
      return .milliseconds(number)
    }
    guard let text = fields[.grpcTimeout] else { return nil }
    guard text.utf8.count <= 9, let unit = text.last, let number = digits(text.dropLast()) else {
      throw Status(.invalidArgument, "grpc-timeout must be a number of at most 8 digits and a unit")
    }
    switch unit {
    case "H": return .seconds(number * 3_600)
    case "M": return .seconds(number * 60)
    case "S": return .seconds(number)
    case "m": return .milliseconds(number)
    case "u": return .microseconds(number)
    case "n": return .nanoseconds(number)
    default: throw Status(.invalidArgument, "grpc-timeout must end with one of H, M, S, m, u and n")
    }
  }

  private static func digits(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(text)
  }

  // MARK: GET

  private static func get(_ request: HTTPRequest, _ shape: CallShape, detailText: @escaping DetailText) -> Start {
    var call = WebCall(
      dialect: .connectGet, codec: .json, timeout: nil, shape: shape, contentType: "application/json",
      requestCompression: .identity, responseCompression: .identity, detailText: detailText)
    do throws(Status) {
      let query = try QueryParameters(request.path ?? "")
      guard let codec = query["encoding"].flatMap({ Codec(rawValue: String(decoding: $0, as: UTF8.self)) }) else {
        let refusal = Status(.invalidArgument, "The parameter encoding must be json or proto")
        return .answer(.answer(415, "application/json", refusal.connectJSON(detailText)))
      }
      let packing = query["compression"].map { String(decoding: $0, as: UTF8.self) } ?? "identity"
      let compression = Compression(rawValue: packing)
      call = WebCall(
        dialect: .connectGet, codec: codec, timeout: try timeout(request.headerFields, .connectGet), shape: shape,
        contentType: "application/\(codec.rawValue)", requestCompression: compression ?? .identity,
        responseCompression: .accepted(by: request.headerFields[.acceptEncoding]), detailText: detailText)
      guard compression != nil else {
        throw Status(.unimplemented, "Unknown compression \"\(packing)\"; there is \(Compression.names)")
      }
      if let version = query["connect"], version != Array("v1".utf8) {
        throw Status(.invalidArgument, "The parameter connect must be v1")
      }
      guard var message = query["message"] else {
        throw Status(.invalidArgument, "The parameter message is missing")
      }
      if let flag = query["base64"], flag == Array("1".utf8) {
        message = try decoded(message)
      }
      return .call(call, messages: [try call.whole(message)])
    } catch {
      return .answer(call.end(error))
    }
  }

  private static func decoded(_ text: [UInt8]) throws(Status) -> [UInt8] {
    var stream = Base64Stream()
    let bare = text.prefix { $0 != UInt8(ascii: "=") }
    do throws(Base64Stream.Malformed) {
      let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - bare.count % 4) % 4)
      guard padding.count < 3 else { throw Base64Stream.Malformed() }
      return try stream.decode(bare + padding)
    } catch {
      throw Status(.invalidArgument, "The parameter message is not base64")
    }
  }
}

// MARK: The request

extension WebCall {
  /// Takes a part of the body; returns the messages that are complete with it.
  ///
  /// - Throws: how the call ends.
  public mutating func receive(_ bytes: some Collection<UInt8>) throws(Status) -> [EncodedMessage] {
    switch dialect {
    case .connectGet: return []
    case .connectUnary:
      guard body.count + bytes.count <= maxMessageBytes else { throw .tooLarge(maxMessageBytes) }
      body.append(contentsOf: bytes)
      return []
    case .connectStream, .grpc, .grpcWeb: envelopes.append(bytes)
    case .webSocket: return try socketMessage(Array(bytes))
    case .grpcWebText:
      do throws(Base64Stream.Malformed) {
        envelopes.append(try text.decode(bytes))
      } catch {
        throw Status(.invalidArgument, "The body is not base64")
      }
    }
    return try messages()
  }

  /// The body is complete; returns the messages that are complete with it.
  public mutating func receiveEnd() throws(Status) -> [EncodedMessage] {
    switch dialect {
    case .connectGet: return []
    case .connectUnary:
      defer { body = [] }
      return [try whole(body)]
    case .connectStream, .grpc, .grpcWeb, .grpcWebText, .webSocket:
      guard isReady else { throw Status(.invalidArgument, "The first message of a WebSocket is the metadata") }
      guard !envelopes.hasPart, !text.hasPart else {
        throw Status(.invalidArgument, "The request ends within a message")
      }
      guard shape.clientStreams || received == 1 else {
        throw Status(.unimplemented, "The method takes one message, and none came")
      }
      return []
    }
  }

  /// Bytes of a WebSocket's metadata: as many as the head of a request has.
  public static let maxMetadataBytes = 16 << 10

  /// Takes a whole message of a WebSocket: the first is the metadata.
  private mutating func socketMessage(_ bytes: [UInt8]) throws(Status) -> [EncodedMessage] {
    guard isReady else {
      guard bytes.count <= Self.maxMetadataBytes else { throw .tooLarge(Self.maxMetadataBytes) }
      let fields = try SocketMetadata.fields(bytes)
      timeout = try Self.timeout(fields, dialect)
      metadata = fields
      return []
    }
    guard bytes.count <= maxMessageBytes else { throw .tooLarge(maxMessageBytes) }
    received += 1
    guard shape.clientStreams || received == 1 else { throw Self.moreThanOne }
    return [EncodedMessage(bytes)]
  }

  private static var moreThanOne: Status { Status(.unimplemented, "The method takes one message, and more came") }

  private mutating func messages() throws(Status) -> [EncodedMessage] {
    var messages: [EncodedMessage] = []
    while let envelope = try nextEnvelope() { messages.append(try message(envelope)) }
    return messages
  }

  private mutating func nextEnvelope() throws(Status) -> Envelope? {
    do throws(EnvelopeReader.TooLarge) {
      return try envelopes.next()
    } catch {
      throw .tooLarge(maxMessageBytes)
    }
  }

  private mutating func message(_ envelope: Envelope) throws(Status) -> EncodedMessage {
    guard envelope.flags & ~Envelope.compressed == 0 else {
      throw Status(.invalidArgument, "A message has flags that no client may set")
    }
    received += 1
    guard shape.clientStreams || received == 1 else { throw Self.moreThanOne }
    guard envelope.flags == Envelope.compressed else { return EncodedMessage(envelope.bytes) }
    guard compression.request != .identity else {
      throw Status(.internal, "A message is compressed, and the request names no compression")
    }
    return EncodedMessage(envelope.bytes, isCompressed: !envelope.bytes.isEmpty)
  }

  /// The message that is all of a request.
  private func whole(_ bytes: [UInt8]) throws(Status) -> EncodedMessage {
    guard bytes.count <= maxMessageBytes else { throw .tooLarge(maxMessageBytes) }
    return EncodedMessage(bytes, isCompressed: compression.request == .gzip && !bytes.isEmpty)
  }
}

// MARK: The answer

extension WebCall {
  /// Writes a message of the answer.
  public mutating func send(_ message: EncodedMessage) -> Output {
    guard progress != .ended else { return Output() }
    switch dialect {
    case .connectUnary, .connectGet:
      progress = .ended
      var fields: [(HTTPField.Name, String)] = []
      if dialect == .connectGet { fields.append((.cacheControl, "private, no-store")) }
      if message.isCompressed { fields.append((.contentEncoding, Compression.gzip.rawValue)) }
      return .answer(200, contentType, message.bytes, fields)
    case .connectStream, .grpc, .grpcWeb, .grpcWebText:
      var output = Output(head: begin())
      Envelope.append(message.bytes, flags: message.isCompressed ? Envelope.compressed : 0, to: &output.body)
      return encoded(output)
    case .webSocket: return Output(body: message.bytes)
    }
  }

  /// Begins the answer of a stream before its first message, so that the client knows that it is open.
  public mutating func open() -> Output {
    switch dialect {
    case .connectUnary, .connectGet, .webSocket: Output()
    case .connectStream, .grpc, .grpcWeb, .grpcWebText: Output(head: begin())
    }
  }

  /// Ends the answer: with success when `status` is `nil`.
  public mutating func end(_ status: Status?) -> Output {
    guard progress != .ended else { return Output() }
    defer { progress = .ended }
    switch dialect {
    case .connectUnary, .connectGet:
      return Self.failure(status ?? Status(.internal, "The service ended the call without an answer"), detailText)
    case .connectStream:
      var output = Output(head: begin(), isEnd: true)
      Envelope.append(endOfStream(status), flags: Envelope.endOfStream, to: &output.body)
      return output
    case .webSocket:
      return Output(body: endOfStream(status), isEnd: true)
    case .grpc:
      // Never trailers in the head alone: clients take those for an answer only where the head itself ends the stream.
      return Output(head: begin(), trailers: Self.trailers(status), isEnd: true)
    case .grpcWeb, .grpcWebText:
      var output = Output(head: begin(), isEnd: true)
      let text = Self.trailers(status).map { "\($0.name.canonicalName): \($0.value)\r\n" }.joined()
      Envelope.append(Array(text.utf8), flags: Envelope.trailers, to: &output.body)
      return encoded(output)
    }
  }

  /// The last message of a stream: `{}`, or the error.
  private func endOfStream(_ status: Status?) -> [UInt8] {
    guard let status else { return Array("{}".utf8) }
    return Array("{\"error\":".utf8) + status.connectJSON(detailText) + Array("}".utf8)
  }

  /// A Connect error as a complete answer.
  public static func failure(_ status: Status, _ detailText: DetailText) -> Output {
    var fields: [(HTTPField.Name, String)] = []
    if let wait = status.retryAfter {
      fields.append((.retryAfter, "\(max(1, wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)))"))
    }
    if status.code == .unauthenticated { fields.append((.wwwAuthenticate, "Bearer")) }
    fields.append((.cacheControl, "private, no-store"))
    return .answer(status.code.httpStatus, "application/json", status.connectJSON(detailText), fields)
  }

  private mutating func begin() -> HTTPResponse? {
    guard progress == .notBegun else { return nil }
    progress = .begun
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = contentType
    head.headerFields[.nosniff] = "nosniff"
    switch dialect {
    case .connectUnary, .connectGet, .webSocket: break
    case .connectStream:
      if compression.response != .identity {
        head.headerFields[.connectContentEncoding] = compression.response.rawValue
      }
    case .grpc, .grpcWeb, .grpcWebText:
      head.headerFields[.grpcAcceptEncoding] = Compression.names
      if compression.response != .identity { head.headerFields[.grpcEncoding] = compression.response.rawValue }
    }
    return head
  }

  private func encoded(_ output: Output) -> Output {
    guard dialect == .grpcWebText else { return output }
    var output = output
    output.body = Base64Text.text(of: output.body)
    return output
  }

  private static func trailers(_ status: Status?) -> HTTPFields {
    var fields = HTTPFields()
    fields[.grpcStatus] = "\(status?.code.rawValue ?? 0)"
    guard let status else { return fields }
    if !status.message.isEmpty { fields[.grpcMessage] = status.grpcMessage }
    if let details = status.grpcDetails { fields[.grpcStatusDetails] = details }
    return fields
  }
}

extension WebCall {
  /// Refuses a request for which there is no method, in the words of its protocol: gRPC's has no HTTP status of its own.
  ///
  /// - Parameter code: the HTTP status, where it is not that of the status's code.
  public static func refusal(
    of request: HTTPRequest, _ status: Status, code: Int? = nil, detailText: @escaping DetailText
  ) -> Output {
    let type = request.headerFields[.contentType] ?? ""
    guard let (_, dialect, codec) = ContentType.read(type), !dialect.isConnect else {
      var output = failure(status, detailText)
      if let code { output.head?.status = .init(code: code) }
      return output
    }
    let shape = CallShape(clientStreams: true, serverStreams: true, hasNoSideEffects: false, maxMessageBytes: 0)
    var call = WebCall(
      dialect: dialect, codec: codec, timeout: nil, shape: shape, contentType: type, requestCompression: .identity,
      responseCompression: .identity, detailText: { _ in nil })
    return call.end(status)
  }
}
