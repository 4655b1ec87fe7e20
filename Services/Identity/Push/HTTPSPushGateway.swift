import Environment
import AsyncHTTPClient
import NIOCore
import NIOSSL
import OutboundHTTP
import ServiceLifecycle
import Synchronization

/// Posts each push as JSON to a gateway over HTTPS ([ID-62]).
///
/// 2xx: accepted. 404 and 410: the token is gone. 408, 425, 429 and 5xx, and errors that the operator has to fix (401,
/// 403, 3xx, TLS): retried, after `Retry-After` if present. Any other 4xx: refused.
package final class HTTPSPushGateway: PushGateway, Service {
  private let settings: PushGatewaySettings
  private let configuration: HTTPClient.Configuration
  private let loops: any EventLoopGroup
  private let clock: any WallClock
  /// Created by `run`, because a client must be shut down; `nil` before and after that.
  private let client = Mutex<HTTPClient?>(nil)

  /// In bytes. Only the status of a response is used; a connection with a longer body is closed.
  private static let maxAnswerLength = 65_536

  /// Sends pushes only while `run` is running.
  ///
  /// - Throws: when the file of certificate authorities cannot be read.
  package init(_ settings: PushGatewaySettings, on loops: any EventLoopGroup, clock: any WallClock) throws {
    self.settings = settings
    configuration = try settings.configuration
    self.loops = loops
    self.clock = clock
  }

  /// Keeps connections to the gateway until the service stops.
  package func run() async throws {
    let client = HTTPClient(eventLoopGroup: loops, configuration: configuration)
    self.client.withLock { $0 = client }
    do { try await gracefulShutdown() } catch is CancellationError {
      // Cancellation is the other way to stop the service.
    }
    self.client.withLock { $0 = nil }
    try await client.shutdown()
  }

  package func send(_ push: Push) async throws(PushFailure) {
    guard let client = client.withLock({ $0 }) else {
      throw .temporary("the gateway's client is not running", retryAfter: nil)
    }
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request(push), timeout: TimeAmount(settings.timeout))
    } catch {
      // This error contains hosts and reasons, but neither the token nor the credentials.
      throw .temporary("\(error)", retryAfter: nil)
    }
    // A connection is reused after its body has been read. If that fails, the status is still valid.
    do { _ = try await response.body.collect(upTo: Self.maxAnswerLength) } catch {}
    try judge(Int(response.status.code), response.headers.first(name: "retry-after"))
  }

  private func request(_ push: Push) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: settings.url)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    // If the response to the first attempt is lost, the gateway recognises the second by this key.
    request.headers.add(name: "idempotency-key", value: "\(push.id)")
    if let token = settings.token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
    request.body = .bytes(ByteBuffer(string: push.json))
    return request
  }

  private func judge(_ status: Int, _ retryAfter: String?) throws(PushFailure) {
    switch status {
    case 200..<300: return
    case 404, 410: throw .gone
    case 300..<400, 401, 403, 408, 425, 429, 500...:
      throw .temporary(
        "the gateway answered \(status)", retryAfter: retryAfter.flatMap { RetryAfter.wait($0, now: clock.now) })
    default: throw .refused("the gateway answered \(status)")
    }
  }
}

/// The push gateway, and the certificate authorities to trust for it.
package struct PushGatewaySettings: Sendable {
  /// `https://…`.
  package var url: String
  /// The bearer token that authenticates this service at the gateway.
  package var token: String?
  /// A PEM file with the certificate authorities to trust instead of the system's.
  package var authorities: String?
  /// For one push, from connecting to the status of the response.
  package var timeout: Duration
  /// The number of connections to the gateway, if it does not support HTTP/2.
  package var connections: Int

  package init(url: String, token: String?, authorities: String?, timeout: Duration, connections: Int) {
    self.url = url
    self.token = token
    self.authorities = authorities
    self.timeout = timeout
    self.connections = connections
  }

  fileprivate var configuration: HTTPClient.Configuration {
    get throws {
      var tls = TLSConfiguration.makeClientConfiguration()
      if let authorities {
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
      }
      var configuration = HTTPClient.Configuration(
        tlsConfiguration: tls,
        // A push must not be posted to a redirect target, with the credentials in its header.
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(5), read: TimeAmount(timeout)))
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
      return configuration
    }
  }
}
