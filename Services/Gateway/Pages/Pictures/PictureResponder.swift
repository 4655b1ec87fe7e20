import GatewayCalls
import GatewayHTTP
import GatewayProtocols
import HTTPTypes
import NIOCore
import TTRPC
import TTRPCClient

/// Reads a picture from its service, or puts one there, while it is sent: neither is ever here as a whole.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only. The HTTP layer calls there, and the
/// task prefers that loop's executor, to which it returns after each wait.
final class PictureResponder: Responder, @unchecked Sendable {
  private let exchange: Exchange
  private let source: PictureSource
  private let calls: SuiteCalls
  private let session: SessionCaller?
  private let admission: Gateway.Admission
  private let spans: RequestSpans
  private let detailText: DetailText
  private var status: Int?
  private var task: Task<Void, Never>?
  private var isOver = false
  private var hasBegun = false
  private var isRequestEnded = false
  private var waiting: [[UInt8]] = []
  private var waitingBytes = 0
  private var received = 0
  private var reader: UnsafeContinuation<Void, Never>?
  private var writer: UnsafeContinuation<Void, Never>?
  private var token: String?

  /// The services take 5 MiB of a file, and say so themselves.
  private static let maxFileBytes = 6 << 20
  /// Beyond this the client is not read, until the service has taken what waits.
  private static let maxWaitingBytes = 256 << 10
  private static let timeout = Duration.seconds(90)

  init(
    _ exchange: Exchange, _ source: PictureSource, _ calls: SuiteCalls, _ session: SessionCaller?,
    admission: @escaping Gateway.Admission, spans: RequestSpans, detailText: @escaping DetailText
  ) {
    (self.admission, self.spans, self.detailText) = (admission, spans, detailText)
    (self.exchange, self.source, self.calls, self.session) = (exchange, source, calls, session)
    let method = exchange.request.method
    guard source.isUpload ? method == .put || method == .post : method == .get || method == .head else {
      let allowed: [HTTPRequest.Method] = source.isUpload ? [.put, .post] : [.get, .head]
      write(PageAnswer.notAllowed(allowed))
      return
    }
    exchange.isLong = source.isUpload
    if source.isUpload { begin() }
  }

  func receive(_ bytes: ByteBuffer) {
    guard !isOver, source.isUpload else { return }
    received += bytes.readableBytes
    guard received <= Self.maxFileBytes else {
      return fail(Status(.invalidArgument, reason: "UNSUPPORTED_IMAGE", "The file is longer than 5 MiB"))
    }
    waiting.append(Array(bytes.readableBytesView))
    waitingBytes += bytes.readableBytes
    if waitingBytes > Self.maxWaitingBytes { exchange.isPaused = true }
    wakeReader()
  }

  func receiveEnd() {
    isRequestEnded = true
    wakeReader()
    if !isOver, !source.isUpload { begin() }
  }

  func leave() {
    isOver = true
    task?.cancel()
    wakeReader()
    becameWritable()
  }

  func becameWritable() {
    let waiting = writer
    writer = nil
    waiting?.resume()
  }

  private func wakeReader() {
    let waiting = reader
    reader = nil
    waiting?.resume()
  }

  private func begin() {
    task = Task(executorPreference: exchange.executor) { await self.recorded() }
  }

  private func recorded() async {
    guard let span = spans.page(source.name, exchange) else { return await run() }
    await span.run {
      await run()
      span.end(status)
    }
  }

  private func run() async {
    do {
      try await identify()
      let request = PageRequest(
        head: exchange.request, body: [], address: exchange.address, loop: exchange.executor.index)
      let client = try calls.client(of: source.service, for: request)
      var options = calls.options(for: request)
      options.timeout = Self.timeout
      if let token { options.metadata.append(HTTPField.Name.authorization.canonicalName, token) }
      if source.isUpload { try await upload(client, options) } else { try await download(client, options) }
    } catch {
      fail(SuiteCalls.status(of: error))
    }
  }

  /// A token of the request's own counts more than its cookie, as in calls.
  ///
  /// - Throws: a status where the cookie does not count, or too many requests came with the token.
  private func identify() async throws {
    token = exchange.request.headerFields[.authorization]
    if let token { return try admission(token) }
    guard let session else { return }
    let found = try await session.token(for: exchange)
    try admission(found)
    token = "Bearer \(found)"
  }

  // MARK: Reading

  private func download(_ client: RPCClient, _ options: CallOptions) async throws {
    let query = try QueryParameters(exchange.request.path ?? "")
    guard let width = PictureWidth(rawValue: query.text("size") ?? "full") else {
      throw Status(.invalidArgument, "The parameter size must be full, 256 or 64")
    }
    var part = 0..<0
    var at = 0
    try await source.read(width, client, options) { head in
      guard let range = self.begin(head) else { return false }
      part = range
      return !part.isEmpty
    } _: { chunk in
      let piece = part.clamped(to: at..<(at + chunk.count))
      let bytes = Array(chunk[(piece.lowerBound - at)..<(piece.upperBound - at)])
      at += chunk.count
      let isEnd = at >= part.upperBound
      if !bytes.isEmpty || isEnd { try await self.send(bytes, isEnd: isEnd) }
      return !isEnd
    }
    guard isOver else { throw Status(.internal, "The picture ended too soon") }
  }

  /// Writes the head of the answer; returns the part of the file that follows, `nil` where none does.
  private func begin(_ picture: PictureHead) -> Range<Int>? {
    let request = exchange.request
    var fields = PageAnswer.security
    fields += [
      (.eTag, picture.entityTag), (.acceptRanges, "bytes"),
      (.cacheControl, picture.isForever ? "private, max-age=86400" : "private, no-cache"),
      (.vary, "authorization, cookie"),
    ]
    if EntityTag.matches(request.headerFields[.ifNoneMatch], picture.entityTag) {
      write(EntityTag.notModified(fields))
      return nil
    }
    // Of another picture than the one that the client has begun to read it wants the whole.
    let condition = request.headerFields[.ifRange]
    let field = condition == nil || condition == picture.entityTag ? request.headerFields[.range] : nil
    let range = request.method == .get ? ByteRange(field, of: picture.byteCount) : .whole
    var (status, part) = (HTTPResponse.Status.ok, 0..<picture.byteCount)
    switch range {
    case .whole: break
    case .part(let asked):
      (status, part) = (.partialContent, asked)
      fields.append((.contentRange, "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(picture.byteCount)"))
    case .unsatisfiable:
      fields.append((.contentRange, "bytes */\(picture.byteCount)"))
      write(.answer(416, "text/plain; charset=utf-8", Array("The picture is shorter.\n".utf8), fields))
      return nil
    }
    var head = Output.answer(status.code, picture.mediaType, [], fields).head
    head?.headerFields[.contentLength] = "\(part.count)"
    let isAll = request.method == .head || part.isEmpty
    write(Output(head: head, isEnd: isAll))
    return isAll ? nil : part
  }

  private func send(_ bytes: [UInt8], isEnd: Bool) async throws {
    write(Output(body: bytes, isEnd: isEnd))
    while !isOver, !exchange.isWritable {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in writer = continuation }
    }
    if isOver, !isEnd { throw CancellationError() }
  }

  // MARK: Putting

  private func upload(_ client: RPCClient, _ options: CallOptions) async throws {
    let tag = exchange.request.headerFields[.ifMatch]
    guard tag == nil || source == .ownProfile else {
      throw Status(.invalidArgument, "Only the picture of a profile can be replaced")
    }
    let place = try await source.write(client, options, ifMatch: tag.map(PictureSource.name)) { await self.next() }
    var fields: [(HTTPField.Name, String)] = [(.cacheControl, "private, no-store")]
    if let place { fields.append((.location, place)) }
    write(.answer(place == nil ? 200 : 201, "application/json", Array("{}".utf8), fields))
  }

  private func next() async -> [UInt8]? {
    while waiting.isEmpty {
      if isRequestEnded || isOver { return nil }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in reader = continuation }
    }
    let next = waiting.removeFirst()
    waitingBytes -= next.count
    if exchange.isPaused, waitingBytes <= Self.maxWaitingBytes / 2 { exchange.isPaused = false }
    return next
  }

  // MARK: The answer

  private func fail(_ status: Status) {
    guard !isOver else { return }
    if hasBegun {
      // What was promised cannot be kept: the client finds a file that is too short.
      isOver = true
      exchange.abort()
    } else {
      write(WebCall.failure(status, detailText))
    }
    task?.cancel()
    wakeReader()
  }

  private func write(_ output: Output) {
    guard !isOver else { return }
    hasBegun = true
    status = output.head?.status.code ?? status
    if output.isEnd { isOver = true }
    exchange.write(head: output.head, body: output.body, trailers: nil, isEnd: output.isEnd)
  }
}
