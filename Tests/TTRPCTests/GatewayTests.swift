import Cryptography
import Dispatch
import EchoV1
import Environment
import LoopExecutor
import Logging
import NIOCore
import NIOSSL
import Synchronization
import TTRPCClient
import TTRPCConnection
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer

/// Whether one client of a gateway leaves the gateway's connection to its other clients.
@Suite("Behind a gateway", .ownThreads, .timeLimit(.minutes(5)))
struct GatewayTests {
  /// Echoes for users too.
  private struct UserEcho: RPCService {
    static let serviceName = "echo.v1.Echo"
    static let chat = MethodDescriptor(
      service: serviceName, name: "UserChat", kind: .bidirectional, access: .user, idempotent: false)
    static let unary = MethodDescriptor(
      service: serviceName, name: "UserUnary", kind: .unary, access: .user, idempotent: false)
    let handler: @Sendable (Msg, CallContext) async throws -> Msg

    func register(in router: inout Router) {
      ScriptedEcho().register(in: &router)
      router.unary(Self.unary, handler)
      router.bidirectional(Self.chat) {
        (requests: MessageStream<Msg>, responses: MessageWriter<Msg>, _: CallContext) async throws in
        for try await request in requests { try await responses.send(request) }
      }
    }
  }

  private struct NamesCaller: ServerInterceptor {
    func callBegins(_ call: inout CallContext) throws(Status) {
      call.caller = call.metadata.bearerToken.map { Caller(subject: String($0)) }
    }
  }

  private func options(_ user: String?, at address: String?, timeout: Duration = .seconds(60)) -> CallOptions {
    var metadata: Metadata = [:]
    if let address { metadata.append("x-forwarded-for", address) }
    if let user { metadata.append("authorization", "Bearer \(user)") }
    return CallOptions(timeout: timeout, metadata: metadata)
  }

  /// Runs a server that a gateway calls over one connection.
  private func run(
    _ limits: RPCServer.Limits, threads: Int = 2,
    _ handler: @escaping @Sendable (Msg, CallContext) async throws -> Msg = { request, _ in request },
    _ body: (RPCClient, LoopGroup) async throws -> Void
  ) async throws {
    let now = SystemClock().now
    let authority = try CertificateAuthority(name: "test", now: now, lifetime: .seconds(3_600))
    let roots = try NIOSSLCertificate.fromPEMBytes(Array(authority.identity.certificatePEM.utf8))
    func own(_ name: String) throws -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource) {
      let pair = try authority.issue(commonName: name, names: [.dns(name)], now: now, lifetime: .seconds(3_600))
      return (
        try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map { .certificate($0) },
        .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.privateKeyPEM.utf8), format: .pem))
      )
    }
    let (serverChain, serverKey) = try own("localhost")
    var serving = TLSConfiguration.makeServerConfiguration(certificateChain: serverChain, privateKey: serverKey)
    serving.trustRoots = .certificates(roots)
    serving.certificateVerification = .noHostnameVerification
    let context = try NIOSSLContext(configuration: serving)
    var calling = TLSConfiguration.makeClientConfiguration()
    calling.trustRoots = .certificates(roots)
    (calling.certificateChain, calling.privateKey) = try own("gateway")
    let group = LoopGroup(threads: threads)
    let server = RPCServer(
      address: try SocketAddress(ipAddress: "127.0.0.1", port: 0),
      security: .tls(TLSSource(context: { context }, service: { _ in "gateway" })),
      router: Router([UserEcho(handler: handler)]), interceptors: [NamesCaller()], limits: limits,
      forwardedAddress: { $0.metadata["x-forwarded-for"] }, services: ["gateway"], grace: .seconds(5), group: group,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    guard let port = try await server.start().port else { throw ChannelError.unknownLocalAddress }
    var settings = RPCClient.Settings()
    settings.healthCheck = nil
    let clientGroup = LoopGroup(threads: 1)
    let client = RPCClient(
      host: "127.0.0.1", port: port, security: .tls(try NIOSSLContext(configuration: calling), serverName: "localhost"),
      settings: settings, on: clientGroup.executors[0])
    let result: Result<Void, any Error>
    do { result = .success(try await body(client, group)) } catch { result = .failure(error) }
    await client.close()
    await server.stop()
    try await group.shutdown()
    try await clientGroup.shutdown()
    try result.get()
  }

  private func refusal(_ body: () async throws -> Void) async -> Status? {
    do {
      try await body()
      return nil
    } catch { return error as? Status }
  }

  @Test("A4: what is no address is refused, not counted as the gateway's; without one the call is the gateway's own")
  func malformed() async throws {
    try await run(RPCServer.Limits()) { client, _ in
      let echo = EchoClient(client)
      for said in ["no address", "", "192.0.2.1:80", "192.0.2"] {
        let status = await refusal { _ = try await echo.unary(Msg(value: "a"), options(nil, at: said)) }
        #expect(
          status?.code == .invalidArgument && status?.errorInfo?.reason == "FORWARDED_ADDRESS_INVALID", "\(said)")
        let user = await refusal {
          let _: Msg = try await client.call(UserEcho.unary, Msg(value: "a"), options("ada", at: said))
        }
        #expect(user?.errorInfo?.reason == "FORWARDED_ADDRESS_INVALID", "\(said)")
      }
      for said in [nil, "192.0.2.1", "2001:db8::1"] {
        let answer = try await echo.unary(Msg(value: "a"), options(nil, at: said))
        #expect(answer.value == "a")
      }
    }
  }

  /// Opens streams of a user, each within the one before, until one is refused, then does `body`.
  private func withStreams(
    _ client: RPCClient, of user: @Sendable (Int) -> String, at address: String, beside count: Int = 0,
    _ body: (Int, Status) async throws -> Void
  ) async throws {
    var refusal: Status?
    try await client.stream(UserEcho.chat, nil as Msg?, options(user(count), at: address)) {
      (writer: RequestWriter<Msg>, responses: MessageStream<Msg>) in
      var answers = responses.makeAsyncIterator()
      do {
        try await writer.send(Msg(value: "hello"))
        _ = try await answers.next()
      } catch let status as Status { refusal = status }
      if refusal == nil { try await withStreams(client, of: user, at: address, beside: count + 1, body) }
    }
    if let refusal { try await body(count, refusal) }
  }

  private static let small: RPCServer.Limits = {
    var limits = RPCServer.Limits()
    limits.calls = 200
    limits.callsPerConnection = 5
    return limits
  }()

  @Test("A4: one user's calls do not fill the gateway's connection, and another's are taken on it")
  func oneUser() async throws {
    try await run(Self.small) { client, _ in
      try await withStreams(client, of: { _ in "ada" }, at: "192.0.2.1") { taken, refusal in
        #expect((20..<40).contains(taken))
        #expect(refusal.errorInfo?.reason == "TOO_MANY_CALLS_OF_USER")
        let answer: Msg = try await client.call(UserEcho.unary, Msg(value: "b"), options("grace", at: "192.0.2.2"))
        #expect(answer.value == "b")
      }
    }
  }

  @Test("[S-4] A3: the users of one forwarded address have the address's share together")
  func usersOfAddress() async throws {
    try await run(Self.small) { client, _ in
      try await withStreams(client, of: { "user \($0)" }, at: "192.0.2.1") { taken, refusal in
        #expect((20..<40).contains(taken))
        #expect(refusal.errorInfo?.reason == "TOO_MANY_CALLS_OF_ADDRESS")
        let answer: Msg = try await client.call(UserEcho.unary, Msg(value: "b"), options("grace", at: "192.0.2.2"))
        #expect(answer.value == "b")
      }
    }
  }

  @Test("A4: one user's many busy calls leave the turns of another's on the same connection")
  func lanes() async throws {
    let pieces = Atomic(0)
    let isOver = Atomic(false)
    try await run(
      RPCServer.Limits(), threads: 1,
      { request, call in
        guard call.caller?.subject == "ada" else {
          let before = pieces.load(ordering: .relaxed)
          for _ in 0..<10 { await Task.yield() }
          return Msg(value: "\(pieces.load(ordering: .relaxed) - before)")
        }
        while !isOver.load(ordering: .relaxed) {
          pieces.add(1, ordering: .relaxed)
          await Task.yield()
        }
        return request
      }
    ) { client, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          group.addTask {
            let _: Msg = try await client.call(UserEcho.unary, Msg(value: "a"), options("ada", at: "192.0.2.1"))
          }
        }
        try await until("all are at it") { pieces.load(ordering: .relaxed) > 2_000 }
        let answer: Msg = try await client.call(UserEcho.unary, Msg(value: "b"), options("grace", at: "192.0.2.2"))
        isOver.store(true, ordering: .relaxed)
        // In one lane with hers each of its ten steps would come after a step of each of the two hundred.
        #expect(try #require(Int(answer.value)) < 1_000)
        try await group.waitForAll()
      }
    }
  }

  @Test("A4: of what a gateway leaves unread each of its clients has a share, until it is taken")
  func unsent() {
    var shares = UnsentShares()
    final class Client {}
    let (ada, grace) = (Client(), Client())
    shares.add(1_000, of: ObjectIdentifier(ada), upTo: 1_000)
    shares.add(500, of: ObjectIdentifier(grace), upTo: 1_500)
    shares.add(200, of: ObjectIdentifier(ada), upTo: 1_700)
    #expect(shares.bytes(of: ObjectIdentifier(ada)) == 1_200 && shares.total == 1_700)
    shares.taken(upTo: 1_499)
    #expect(shares.bytes(of: ObjectIdentifier(ada)) == 200 && shares.bytes(of: ObjectIdentifier(grace)) == 500)
    shares.taken(upTo: 1_700)
    #expect(shares.total == 0 && shares.bytes(of: ObjectIdentifier(grace)) == 0)
    withExtendedLifetime((ada, grace)) {}
  }
}

/// Blocks a thread until it is released.
final class Hold: Sendable {
  private let blocking = Atomic(false)
  private let semaphore = DispatchSemaphore(value: 0)

  var isBlocking: Bool { blocking.load(ordering: .acquiring) }

  func block() {
    blocking.store(true, ordering: .releasing)
    semaphore.wait()
  }

  func release() { semaphore.signal() }
}
