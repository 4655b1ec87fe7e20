public import Environment
import AsyncHTTPClient
public import NIOCore
import NIOSSL
public import ServiceLifecycle
import Synchronization

/// Calls servers outside the suite over HTTPS, and bounds what it takes from them: bytes, time, no redirection.
///
/// It works until it is stopped. It has to be run: `run` closes its connections.
public final class OutboundClient: Service {
  /// Used instead of the system's authorities.
  private let authorities: [NIOSSLCertificate]?
  private let timeout: Duration
  private let peers: AllowedPeers
  private let loops: any EventLoopGroup
  private let clock: any WallClock
  private let state = Mutex(State.unused)

  private enum State {
    /// No request was made yet.
    case unused
    case working(HTTPClient)
    case stopped
  }

  /// Connections to one server, where it does not speak HTTP/2.
  private static let connections = 16

  /// - Parameters:
  ///   - authorities: a PEM file of the authorities to trust, instead of the system's.
  ///   - timeout: for one exchange, from connecting to the response's last byte.
  ///   - clock: the time that a date in `Retry-After` is compared with.
  ///   - peers: the servers that are connected to. It is looked at when there is a connection and nothing was sent, so a
  ///     name that leads elsewhere a moment later is refused too.
  /// - Throws: when the file of authorities cannot be read.
  public init(
    authorities: String?, timeout: Duration, on loops: any EventLoopGroup, clock: any WallClock,
    peers: AllowedPeers = .any
  ) throws {
    self.authorities = try authorities.map { try NIOSSLCertificate.fromPEMFile($0) }
    self.timeout = timeout
    self.peers = peers
    self.loops = loops
    self.clock = clock
  }

  /// Keeps connections until the service stops, then closes them.
  public func run() async throws {
    do { try await gracefulShutdown() } catch is CancellationError {
      // Cancellation stops the service as well.
    }
    let last = state.withLock { state in
      defer { state = .stopped }
      return state
    }
    if case .working(let client) = last { try await client.shutdown() }
  }

  private var configuration: HTTPClient.Configuration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let authorities { tls.trustRoots = .certificates(authorities) }
    // Requests carry secrets, which go where the settings say and nowhere else: no redirects.
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(min(timeout, .seconds(5))), read: TimeAmount(timeout)),
      decompression: .disabled)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
    if peers == .public {
      // Another attempt would lead to the same address.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.http1_1ConnectionDebugInitializer = Self.refuseUnlessPublic
      configuration.http2ConnectionDebugInitializer = Self.refuseUnlessPublic
    }
    return configuration
  }

  /// Looks at the address of a new connection, before a request is sent on it.
  private static let refuseUnlessPublic: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
    if let address = channel.remoteAddress?.ipAddress, PublicAddress.contains(address) {
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    channel.close(promise: nil)
    return channel.eventLoop.makeFailedFuture(
      OutboundFailure.unreachable("the host's address is of this machine or a private network"))
  }

  /// The HTTP client, made when it is first needed; `nil` once the service stops.
  private func working() -> HTTPClient? {
    state.withLock { state in
      switch state {
      case .working(let client): return client
      case .stopped: return nil
      case .unused:
        let client = HTTPClient(eventLoopGroup: loops, configuration: configuration)
        state = .working(client)
        return client
      }
    }
  }

  /// The response to `request`, whatever its status.
  ///
  /// - Throws: `tooSlow` and `tooLong` for responses beyond the limits; `unreachable` where there is none, for a URL
  ///   without TLS, and once the service stops.
  public func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
    guard request.url.hasPrefix("https://") else { throw .unreachable("only https:// is spoken") }
    guard let client = working() else { throw .unreachable("the service is stopping") }
    do {
      return try await inTime { try await self.exchange(request, by: client) }
    } catch let failure as OutboundFailure {
      throw failure
    } catch is NIOTooManyBytesError {
      throw .tooLong
    } catch {
      // Such an error names hosts and reasons, nothing of what was sent.
      throw .unreachable("\(error)")
    }
  }

  /// Bounds the time of the whole exchange, also where a server sends a byte now and then.
  private func inTime(_ exchange: @escaping @Sendable () async throws -> OutboundAnswer) async throws -> OutboundAnswer
  {
    try await withThrowingTaskGroup(of: OutboundAnswer?.self) { group in
      group.addTask { try await exchange() }
      group.addTask { [timeout] in
        // The time limit of the whole exchange; the group cancels this task when the response comes first.
        try await Task.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let answer = first else { throw OutboundFailure.tooSlow }
      return answer
    }
  }

  private func exchange(_ request: OutboundRequest, by client: HTTPClient) async throws -> OutboundAnswer {
    var sent = HTTPClientRequest(url: request.url)
    for field in request.headers { sent.headers.add(name: field.name, value: field.value) }
    switch request.content {
    case .none: break
    case .form(let form):
      sent.method = .POST
      sent.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      sent.body = .bytes(ByteBuffer(string: form.encoded))
    case .json(let text):
      sent.method = .POST
      sent.headers.add(name: "content-type", value: "application/json")
      sent.body = .bytes(ByteBuffer(string: text))
    case .deletion: sent.method = .DELETE
    }
    let response = try await client.execute(sent, timeout: TimeAmount(timeout))
    let body = try await response.body.collect(upTo: request.maxAnswerLength)
    let fields = response.headers.map { ($0.name.lowercased(), $0.value) }
    return OutboundAnswer(
      status: Int(response.status.code), body: Array(body.readableBytesView),
      retryAfter: response.headers.first(name: "retry-after").flatMap { RetryAfter.wait($0, now: clock.now) },
      headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
  }
}

/// A request to a server: a GET, a POST of a form or of a JSON text, or a DELETE.
public struct OutboundRequest: Sendable {
  /// `https://…`.
  public var url: String
  /// Header fields beyond those that HTTP needs.
  public var headers: [(name: String, value: String)]
  /// What is sent, which decides on the method.
  public var content: Content
  /// Bytes of a response's body; a longer one is refused.
  public var maxAnswerLength: Int

  /// The content of a request, and its method.
  public enum Content: Sendable {
    /// A GET.
    case none
    /// A POST of a form.
    case form(FormFields)
    /// A POST of a JSON text.
    case json(String)
    /// A DELETE.
    case deletion
  }

  /// A GET of `url`, or a POST of `form` to it.
  public init(
    _ url: String, posting form: FormFields? = nil, headers: [(name: String, value: String)] = [], maxAnswerLength: Int
  ) {
    self.init(url, sending: form.map { .form($0) } ?? .none, headers: headers, maxAnswerLength: maxAnswerLength)
  }

  /// A request with any content.
  public init(
    _ url: String, sending content: Content, headers: [(name: String, value: String)] = [], maxAnswerLength: Int
  ) {
    self.url = url
    self.content = content
    self.headers = headers
    self.maxAnswerLength = maxAnswerLength
  }
}

public struct OutboundAnswer: Sendable {
  /// The HTTP status, 200 to 599.
  public let status: Int
  /// The whole body.
  public let body: [UInt8]
  /// How long the server asks the client to wait; `nil` when it does not.
  public let retryAfter: Duration?
  /// The header fields by their lower-case names; of several with one name the first.
  public let headers: [String: String]
}

/// Why there is no response. It contains nothing of what was sent.
public enum OutboundFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// No connection, or one that broke; the text is for logs.
  case unreachable(String)
  /// The response was not complete in time.
  case tooSlow
  /// The response was longer than allowed.
  case tooLong

  /// For logs.
  public var description: String {
    switch self {
    case .unreachable(let reason): "unreachable: \(reason)"
    case .tooSlow: "no answer in time"
    case .tooLong: "an answer that is too long"
    }
  }
}
