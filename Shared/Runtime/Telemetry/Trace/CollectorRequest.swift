import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SilentPeers

/// One POST to a collector, over a connection of its own: exports are seconds apart.
///
/// NIO's HTTP/1.1 is part of the build already; a whole HTTP client would be the heaviest thing in it for this one request.
struct CollectorRequest: Sendable {
  let address: CollectorAddress
  /// Additional headers, such as a collector's key.
  let headers: [(String, String)]
  let group: any EventLoopGroup
  /// For connecting, and again for the response.
  let timeout: TimeAmount
  private let tls: NIOSSLContext?

  /// - Throws: when the system's authorities, which an encrypted connection needs, cannot be read.
  init(
    address: CollectorAddress, headers: [(String, String)], group: any EventLoopGroup, timeout: TimeAmount
  ) throws {
    (self.address, self.headers, self.group, self.timeout) = (address, headers, group, timeout)
    tls = address.scheme == .https ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
  }

  /// Why there was no response.
  enum Failure: Error {
    case timedOut
    case closed
  }

  /// The collector's response.
  struct Answer: Sendable {
    let status: Int
    /// From `Retry-After`, where it names seconds.
    let retryAfter: Duration?

    /// Whether the same request may succeed later (OTLP, "Retryable Response Codes").
    var isRetryable: Bool { [429, 502, 503, 504].contains(status) }
    var isSuccess: Bool { (200..<300).contains(status) }
  }

  /// Sends `body`, and returns the collector's response.
  ///
  /// - Throws: ``Failure``, the error of the connection, or `CancellationError` as soon as the task is cancelled, so
  ///   that a silent collector delays no shutdown.
  func post(_ body: [UInt8]) async throws -> Answer {
    let answer = group.next().makePromise(of: Answer.self)
    connect(for: answer).whenComplete { result in
      switch result {
      case .success(let channel): exchange(body, on: channel, answer)
      case .failure(let error): answer.fail(error)
      }
    }
    return try await withTaskCancellationHandler {
      try await answer.futureResult.get()
    } onCancel: {
      answer.fail(CancellationError())
    }
  }

  private func connect(for answer: EventLoopPromise<Answer>) -> EventLoopFuture<any Channel> {
    let (tls, serverName) = (tls, address.tlsName)
    return ClientBootstrap(group: group)
      .connectTimeout(timeout)
      .endingSilentConnections()
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: serverName)) }
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(AnswerReader(answer))
        }
      }
      .connect(host: address.host, port: address.port)
  }

  /// Sends the request, unless the waiting task was cancelled already, and closes the connection once it has ended.
  private func exchange(_ body: [UInt8], on channel: any Channel, _ answer: EventLoopPromise<Answer>) {
    let limit = channel.eventLoop.scheduleTask(in: timeout) { answer.fail(Failure.timedOut) }
    answer.futureResult.whenComplete { _ in
      limit.cancel()
      channel.close(promise: nil)
    }
    send(body, on: channel)
  }

  private func send(_ body: [UInt8], on channel: any Channel) {
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.path)
    head.headers = HTTPHeaders(headers)
    head.headers.replaceOrAdd(name: "Host", value: address.authority)
    head.headers.replaceOrAdd(name: "Content-Type", value: "application/x-protobuf")
    head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    // A failed write closes the connection, which fails the reader too.
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }
}

extension CollectorAddress {
  /// The name that the certificate must be for; `nil` when it is to be for the address itself.
  fileprivate var tlsName: String? {
    let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return isAddress ? nil : host
  }
}

/// Reads the one response; its body is ignored.
private final class AnswerReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPClientResponsePart

  /// Completed once: by the response or by a failure, whichever is first.
  private let answer: EventLoopPromise<CollectorRequest.Answer>

  init(_ answer: EventLoopPromise<CollectorRequest.Answer>) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let seconds = head.headers.first(name: "Retry-After").flatMap { Int64($0) }
    answer.succeed(.init(status: Int(head.status.code), retryAfter: seconds.map { .seconds($0) }))
  }

  func channelInactive(context: ChannelHandlerContext) {
    answer.fail(CollectorRequest.Failure.closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    answer.fail(error)
    context.close(promise: nil)
  }
}
