public import Environment
import AsyncHTTPClient
public import NIOCore
import NIOSSL
public import ServiceLifecycle
import Synchronization

/// Asks servers of others over HTTPS, and takes no more from them than it was told to: so many bytes, so much time, no redirection.
///
/// It works until it is stopped, and has to be run: it is `run` that gives its connections back.
public final class OutboundClient: Service {
  /// In place of the system's authorities.
  private let authorities: [NIOSSLCertificate]?
  private let timeout: Duration
  private let loops: any EventLoopGroup
  private let clock: any WallClock
  private let state = Mutex(State.unused)

  private enum State {
    /// Nobody has asked for anything yet.
    case unused
    case working(HTTPClient)
    case stopped
  }

  /// Connections to one server, where it does not speak HTTP/2.
  private static let connections = 16

  /// - Parameters:
  ///   - authorities: a PEM file of the authorities to trust, in place of the system's.
  ///   - timeout: for one exchange, from connecting to the answer's last byte.
  ///   - clock: tells what `Retry-After` means.
  /// - Throws: when the file of authorities cannot be read.
  public init(
    authorities: String?, timeout: Duration, on loops: any EventLoopGroup, clock: any WallClock
  ) throws {
    self.authorities = try authorities.map { try NIOSSLCertificate.fromPEMFile($0) }
    self.timeout = timeout
    self.loops = loops
    self.clock = clock
  }

  /// Keeps connections until the service stops.
  public func run() async throws {
    do { try await gracefulShutdown() } catch is CancellationError {
      // Being cancelled is the other way of being told to stop.
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
    // Whoever is asked gets secrets: they go where the settings say and nowhere else.
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(min(timeout, .seconds(5))), read: TimeAmount(timeout)),
      decompression: .disabled)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
    return configuration
  }

  /// What speaks HTTP, made when it is first needed; `nil` when it has been given back.
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

  /// The answer to `request`, whatever its status.
  ///
  /// - Throws: `tooSlow` and `tooLong` for answers beyond the limits; `unreachable` where there is none, for a URL without TLS, and once the
  ///   service stops.
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

  /// Ends what takes too long, also where a server sends a byte now and then.
  private func inTime(_ exchange: @escaping @Sendable () async throws -> OutboundAnswer) async throws -> OutboundAnswer
  {
    try await withThrowingTaskGroup(of: OutboundAnswer?.self) { group in
      group.addTask { try await exchange() }
      group.addTask { [timeout] in
        // The time that the whole exchange may take; the group cancels it when the answer comes first.
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
    if let form = request.form {
      sent.method = .POST
      sent.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      sent.body = .bytes(ByteBuffer(string: form.encoded))
    }
    let response = try await client.execute(sent, timeout: TimeAmount(timeout))
    let body = try await response.body.collect(upTo: request.maxAnswerLength)
    return OutboundAnswer(
      status: Int(response.status.code), body: Array(body.readableBytesView),
      retryAfter: response.headers.first(name: "retry-after").flatMap { RetryAfter.wait($0, now: clock.now) })
  }
}

/// What a server is asked: a GET, or a POST of a form.
public struct OutboundRequest: Sendable {
  /// `https://…`.
  public var url: String
  /// The header's fields beyond those that HTTP needs.
  public var headers: [(name: String, value: String)]
  /// What is posted; `nil` for a GET.
  public var form: FormFields?
  /// Bytes of an answer's body; a longer one is refused.
  public var maxAnswerLength: Int

  /// A GET of `url`, or a POST of `form` to it.
  public init(
    _ url: String, posting form: FormFields? = nil, headers: [(name: String, value: String)] = [], maxAnswerLength: Int
  ) {
    self.url = url
    self.form = form
    self.headers = headers
    self.maxAnswerLength = maxAnswerLength
  }
}

/// What a server answered.
public struct OutboundAnswer: Sendable {
  /// Of HTTP, 200 to 599.
  public let status: Int
  /// The whole of it.
  public let body: [UInt8]
  /// How long the server asks to wait; `nil` when it does not.
  public let retryAfter: Duration?
}

/// Why there is no answer. It holds nothing of what was sent.
public enum OutboundFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// No connection, or one that broke; for logs.
  case unreachable(String)
  /// The answer was not there in time.
  case tooSlow
  /// The answer was longer than it may be.
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
