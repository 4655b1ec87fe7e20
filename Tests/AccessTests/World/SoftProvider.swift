import Base64
import Environment
import Cryptography
import Foundation
import Identifiers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Testing

/// A minimal OpenID provider over HTTPS: one Ed25519 key, no pages, and codes that contain the user.
struct SoftProvider: Sendable {
  /// Its id in the services' settings.
  static let id = "friend"

  private let listener: any Channel
  private let folder: String
  let issuer: String

  private static let clientID = "tandem"

  /// Starts listening; writes its certificate and the services' settings to a folder.
  init(in folder: String) async throws {
    self.folder = folder
    let (now, hour) = (SystemClock().now, Duration.seconds(3_600))
    let authority = try CertificateAuthority(name: "provider", now: now, lifetime: hour)
    let pair = try authority.issue(
      commonName: "localhost", names: [.dns("localhost"), .ip("127.0.0.1")], now: now, lifetime: hour)
    let security = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map {
          .certificate($0)
        },
        privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.privateKeyPEM.utf8), format: .pem))))
    let key = try SigningKey(seed: Digest.sha256("provider".utf8))
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: security))
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(SoftProviderPages(key: key, clientID: Self.clientID))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    issuer = "https://localhost:\(port)"
    try Self.write(authority.identity.certificatePEM, to: "\(folder)/provider.pem")
    try Self.write("a secret that nobody looks at", to: "\(folder)/provider-secret")
    try Self.write(
      """
      {"providers": [{"id": "\(Self.id)", "name": "A friend", "kind": "openid", "issuer": "\(issuer)", \
      "client_id": "\(Self.clientID)", "client_secret_file": "provider-secret"}]}
      """, to: "\(folder)/providers.json")
  }

  func close() { listener.close(promise: nil) }

  /// The settings of a service with logins by this provider.
  var settings: [(String, String)] {
    [("providers", "\(folder)/providers.json"), ("provider-ca", "\(folder)/provider.pem")]
  }

  /// The parameters with which a user's browser returns after a visit to `url`.
  func visit(_ url: String, as subject: String, at now: Instant) throws -> (state: String, code: String) {
    let query = try #require(URLComponents(string: url)?.queryItems)
    let parameter = { (name: String) in query.first { $0.name == name }?.value ?? "" }
    let code = SoftCode(subject: subject, nonce: parameter("nonce"), at: now.wholeSeconds)
    return (parameter("state"), Base64URL.encode(Array(try JSONEncoder().encode(code))))
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}

/// The content of a code: the claims of its ID token.
private struct SoftCode: Codable {
  let subject: String
  let nonce: String
  /// Seconds since 1970.
  let at: Int64
}

/// Serves one connection.
private final class SoftProviderPages: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let key: SigningKey
  private let clientID: String
  private var path = ""
  private var body = ""

  init(key: SigningKey, clientID: String) {
    self.key = key
    self.clientID = clientID
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (path, body) = (head.uri, "")
    case .body(let part): body += String(buffer: part)
    case .end:
      let issuer = "https://localhost:\(context.localAddress?.port ?? 0)"
      let json: String?
      do { json = try page(of: issuer) } catch { return context.fireErrorCaught(error) }
      let headers: HTTPHeaders = [
        "content-type": "application/json", "content-length": "\(json?.utf8.count ?? 0)",
      ]
      let head = HTTPResponseHead(version: .http1_1, status: json == nil ? .notFound : .ok, headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: json ?? "")))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  /// `nil` for an unknown page.
  private func page(of issuer: String) throws -> String? {
    switch path {
    case "/.well-known/openid-configuration":
      """
      {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize", "token_endpoint": "\(issuer)/token", \
      "jwks_uri": "\(issuer)/keys"}
      """
    case "/keys":
      """
      {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "soft", \
      "x": "\(Base64URL.encode(key.verificationKey.publicKey))"}]}
      """
    case "/token":
      try idToken(of: issuer).map { token in
        #"{"access_token": "at", "token_type": "Bearer", "expires_in": 300, "id_token": "\#(token)"}"#
      }
    default: nil
    }
  }

  /// `nil` for an invalid code.
  private func idToken(of issuer: String) throws -> String? {
    let sent = body.split(separator: "&").first { $0.hasPrefix("code=") }?.dropFirst(5)
    guard let bytes = sent.flatMap({ Base64URL.decode($0.utf8) }) else { return nil }
    let code = try JSONDecoder().decode(SoftCode.self, from: Data(bytes))
    let claims = """
      {"iss": "\(issuer)", "sub": "\(code.subject)", "aud": "\(clientID)", "iat": \(code.at), "exp": \(code.at + 300), \
      "nonce": "\(code.nonce)", "email": "\(code.subject)@provider.example", "email_verified": true, "auth_time": \(code.at)}
      """
    let parts = [#"{"alg": "EdDSA", "kid": "soft"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }
    let input = parts.joined(separator: ".")
    return "\(input).\(Base64URL.encode(try key.signature(for: input.utf8)))"
  }
}
