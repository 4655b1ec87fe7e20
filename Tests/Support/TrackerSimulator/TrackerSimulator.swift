import Base64
import Cryptography
import Environment
import Foundation
import Identifiers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Providers of trackers for a test: a real HTTPS server on the loopback, with an authorization server that checks PKCE and
/// replaces refresh tokens, and data that the test decides on.
///
/// Each first part of a path is a provider: `https://localhost:PORT/strava/api/v3/…`.
public final class TrackerSimulator: Sendable {
  /// An HTTP request as it came.
  public struct Request: Sendable {
    public let method: String
    /// Without the query.
    public let path: String
    public let query: [String: String]
    public let headers: [String: String]
    public let body: [UInt8]

    /// The fields of a form.
    public var form: [String: String] { TrackerSimulator.pairs(in: String(decoding: body, as: UTF8.self)) }
    /// The access token.
    public var token: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }
  }

  public struct Answer: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]
    /// How long the answer takes.
    public var delay: Duration = .zero
    /// What the answer waits for.
    public var gate: AnswerGate?

    public init(_ status: Int = 200, _ headers: [String: String] = [:], body: [UInt8] = []) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }

    public static func json(
      _ text: String, status: Int = 200, headers: [String: String] = [:]
    ) -> Answer {
      Answer(status, ["content-type": "application/json"].merging(headers) { $1 }, body: Array(text.utf8))
    }
  }

  /// What a test answers with; `nil` leaves it to an earlier rule.
  public typealias Rule = @Sendable (Request) -> Answer?

  private struct State {
    var rules: [Rule] = []
    var holds: [(ending: String, gate: AnswerGate)] = []
    var requests: [Request] = []
    var codes: [String: (challenge: String, scope: String)] = [:]
    var access: Set<String> = []
    var refresh: Set<String> = []
    var count = 0
    var lifetime = 3_600
    var hasOwnSubjects = false
    var omitsRefreshTokens = false
  }

  private let state = Mutex(State())
  private let channel: any Channel
  /// The PEM file of the authority that the certificate comes from.
  public let authority: String
  private let folder: String

  /// `https://localhost:PORT`.
  public var origin: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }

  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Runs `body` with a server of its own.
  public static func with(_ body: (TrackerSimulator) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-trackers-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (now, day) = (SystemClock().now, Duration.seconds(86_400))
    let root = try CertificateAuthority(name: "Test authority", now: now, lifetime: day)
    let own = try root.issue(commonName: "localhost", names: [.dns("localhost")], now: now, lifetime: day)
    let authority = "\(folder)/ca.pem"
    try root.identity.certificatePEM.write(toFile: authority, atomically: true, encoding: .utf8)
    let certificates = try NIOSSLCertificate.fromPEMBytes(Array(own.certificatePEM.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(own.privateKeyPEM.utf8), format: .pem)
    let tls = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key)))
    let holder = Holder()
    let channel = try await ServerBootstrap(group: loops).childChannelInitializer { child in
      child.eventLoop.makeCompletedFuture {
        try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
        try child.pipeline.syncOperations.configureHTTPServerPipeline()
        try child.pipeline.syncOperations.addHandler(Conversation(holder))
      }
    }.bind(host: "127.0.0.1", port: 0).get()
    let simulator = TrackerSimulator(channel, authority: authority, folder: folder)
    holder.simulator.withLock { $0 = simulator }
    let result: Result<Void, any Error>
    do { result = .success(try await body(simulator)) } catch { result = .failure(error) }
    try await channel.close()
    try FileManager.default.removeItem(atPath: folder)
    try result.get()
  }

  private init(_ channel: any Channel, authority: String, folder: String) {
    (self.channel, self.authority, self.folder) = (channel, authority, folder)
  }

  // MARK: What a test decides

  /// Answers requests whose path ends with a text; later rules come first.
  public func answer(_ ending: String, _ rule: @escaping Rule) {
    state.withLock { $0.rules.append { $0.path.hasSuffix(ending) ? rule($0) : nil } }
  }

  /// Holds back whatever is answered to requests whose path ends with a text.
  public func hold(_ ending: String, by gate: AnswerGate) { state.withLock { $0.holds.append((ending, gate)) } }

  /// The requests so far whose path ends with the text.
  public func requests(_ ending: String = "") -> [Request] {
    state.withLock { $0.requests.filter { $0.path.hasSuffix(ending) } }
  }

  /// How long access tokens are valid, in seconds.
  public func setLifetime(_ seconds: Int) { state.withLock { $0.lifetime = seconds } }

  /// Makes each consent that of another user at the provider.
  public func setOwnSubjects() { state.withLock { $0.hasOwnSubjects = true } }

  /// Issues access tokens alone, as some providers do.
  public func omitRefreshTokens() { state.withLock { $0.omitsRefreshTokens = true } }

  /// Makes all access tokens invalid; refresh tokens stay.
  public func expireAccess() { state.withLock { $0.access = [] } }

  /// Makes all tokens invalid, as when a user revokes the consent.
  public func revokeAll() { state.withLock { ($0.access, $0.refresh) = ([], []) } }

  /// The refresh tokens that are valid.
  public var refreshTokens: Set<String> { state.withLock { $0.refresh } }

  /// Consents as a user, and returns what the browser is sent back with.
  public func consent(to authorizationURL: String, scope: String? = nil) -> (state: String, code: String) {
    let query = Self.pairs(in: String(authorizationURL.drop { $0 != "?" }.dropFirst()))
    let code = state.withLock { state in
      state.count += 1
      let code = "code-\(state.count)"
      state.codes[code] = (query["code_challenge"] ?? "", scope ?? query["scope"] ?? "")
      return code
    }
    return (query["state"] ?? "", code)
  }

  /// Writes the file of trackers, and returns the settings of an importer by which users connect these providers.
  public func arguments(_ providers: [String]) throws -> [String] {
    try Data("client-secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret"))
    try Data("webhook-secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/webhook"))
    let entries = providers.map { id -> [String: Any] in
      let base = "\(origin)/\(id)"
      return [
        "id": id, "client_id": "tandem", "client_secret_file": "secret", "webhook_secret_file": "webhook",
        "endpoints": [
          "authorization": "\(base)/authorize", "token": "\(base)/token", "revocation": "\(base)/revoke", "data": base,
        ],
      ]
    }
    let file = try JSONSerialization.data(withJSONObject: ["trackers": entries])
    try file.write(to: URL(fileURLWithPath: "\(folder)/trackers.json"))
    return [
      "--trackers", "\(folder)/trackers.json", "--tracker-ca", authority, "--tracker-hosts", "any",
      "--tracker-redirect-uris", "https://app.example/callback",
    ]
  }

  // MARK: Answers

  fileprivate func answer(to request: Request) -> Answer {
    var answer = decided(request)
    let holds = state.withLock { $0.holds }
    if let hold = holds.last(where: { request.path.hasSuffix($0.ending) }) { answer.gate = hold.gate }
    return answer
  }

  private func decided(_ request: Request) -> Answer {
    let rules = state.withLock { state in
      state.requests.append(request)
      return state.rules
    }
    // Rules are the test's own code, and run without the lock.
    for rule in rules.reversed() { if let answer = rule(request) { return answer } }
    if request.path.hasSuffix("/token") { return token(request) }
    if request.path.hasSuffix("/revoke") || request.method == "DELETE" { return Answer(200) }
    guard isValid(request.token) else { return Self.invalidToken }
    return .json("[]", status: 404)
  }

  /// Whether an access token is valid.
  public func isValid(_ token: String?) -> Bool { state.withLock { $0.access.contains(token ?? "") } }

  private func token(_ request: Request) -> Answer {
    let form = request.form
    return state.withLock { state in
      var scope = ""
      switch form["grant_type"] {
      case "authorization_code":
        let verifier = Base64URL.encode(Digest.sha256((form["code_verifier"] ?? "").utf8))
        guard let code = state.codes.removeValue(forKey: form["code"] ?? ""), code.challenge == verifier else {
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        scope = code.scope
      case "refresh_token":
        guard state.refresh.remove(form["refresh_token"] ?? "") != nil else {
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
      default: return .json(#"{"error":"unsupported_grant_type"}"#, status: 400)
      }
      state.count += 1
      let (access, refresh) = ("access-\(state.count)", "refresh-\(state.count)")
      state.access.insert(access)
      if !state.omitsRefreshTokens { state.refresh.insert(refresh) }
      let granted = scope.isEmpty ? "" : #","scope":"\#(scope)""#
      let renewable = state.omitsRefreshTokens ? "" : #""refresh_token":"\#(refresh)","#
      let tokens =
        #""access_token":"\#(access)",\#(renewable)"token_type":"Bearer","expires_in":\#(state.lifetime)\#(granted)"#
      if request.path.contains("/withings/") {
        return .json(#"{"status":0,"body":{"userid":"7001",\#(tokens)}}"#)
      }
      let subject = state.hasOwnSubjects ? 7_001 + state.count : 7_001
      return .json(#"{\#(tokens),"athlete":{"id":\#(subject)},"x_user_id":\#(subject)}"#)
    }
  }

  static func pairs(in text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0).replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
      }
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// Holds answers back until it is opened; later ones pass at once.
public final class AnswerGate: Sendable {
  private let state = Mutex((isOpen: false, held: [@Sendable () -> Void]()))

  public init() {}

  public func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for answer in held { answer() }
  }

  fileprivate func whenOpen(_ answer: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.held.append(answer) }
      return state.isOpen
    }
    if isOpen { answer() }
  }
}

/// The simulator of a server that is bound before there is one.
private final class Holder: Sendable {
  let simulator = Mutex<TrackerSimulator?>(nil)
}

/// The requests of one connection.
private final class Conversation: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let holder: Holder
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  init(_ holder: Holder) { self.holder = holder }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (self.head, body) = (head, [])
    case .body(let part): body += Array(part.readableBytesView)
    case .end:
      guard let head, let simulator = holder.simulator.withLock({ $0 }) else { return }
      let parts = head.uri.split(separator: "?", maxSplits: 1)
      let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
      let request = TrackerSimulator.Request(
        method: head.method.rawValue, path: String(parts.first ?? ""),
        query: TrackerSimulator.pairs(in: parts.count > 1 ? String(parts[1]) : ""), headers: headers, body: body)
      let answer = simulator.answer(to: request)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let write = { @Sendable in bound.value.0.write(answer, bound.value.1) }
      if let gate = answer.gate {
        let loop = context.eventLoop
        gate.whenOpen { loop.execute { write() } }
      } else if answer.delay == .zero {
        write()
      } else {
        context.eventLoop.scheduleTask(in: TimeAmount(answer.delay)) { write() }
      }
    }
  }

  private func write(_ answer: TrackerSimulator.Answer, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
    headers.replaceOrAdd(name: "content-length", value: "\(answer.body.count)")
    context.write(
      wrapOutboundOut(
        .head(.init(version: .http1_1, status: .init(statusCode: answer.status), headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
