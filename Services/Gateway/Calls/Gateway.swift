import GatewayHTTP
import ClientAddresses
import GatewayProtocols
import GatewayTranscoder
import HTTPTypes
import NIOCore
import TTRPC
import TTRPCClient
import WorkerPool

/// Answers the requests of the port: finds the method, reads the protocol, calls the service that owns it.
public final class Gateway: Sendable {
  /// How long calls may take.
  public struct Times: Sendable {
    /// The deadline of a unary call whose client sets none.
    public var call = Duration.seconds(30)
    /// The latest deadline that the client of a unary call may set.
    public var maxCall = Duration.seconds(120)
    /// A stream.
    public var stream = Duration.seconds(3_600)

    public init() {}
  }

  /// How often clients may call.
  public struct Rates: Sendable {
    let networks: RequestRates<ClientAddresses.ClientNetwork>
    /// By the hash of the access token: whose it is the services find out. It is with a seed of the process, so that no client finds
    /// a token that shares another's.
    let tokens: RequestRates<Int>

    public init(networks: RequestRates<ClientAddresses.ClientNetwork>, tokens: RequestRates<Int>) {
      (self.networks, self.tokens) = (networks, tokens)
    }
  }

  let routes: Routes
  let reflection: GRPCReflection
  let times: Times
  let metrics = CallMetrics()
  let spans: RequestSpans
  let healthAnswers = HealthAnswers()
  let longMessages = LongMessagePool()
  private let clients: [String: [RPCClient]]
  private let rates: Rates
  private let isDraining: @Sendable () -> Bool
  private let page: PageResponders
  private let names: @Sendable () -> PublicNames
  private let session: SessionCallers

  /// Makes the responder of a request that calls no method; `nil` where there is no page of its path.
  public typealias PageResponders = @Sendable (Exchange, @escaping Admission, RequestSpans) -> (any Responder)?

  /// Counts a request with an access token; throws where there are too many of them.
  public typealias Admission = @Sendable (_ token: String) throws(Status) -> Void

  /// Finds in whose name a request is by its cookie; `nil` where it has none.
  public typealias SessionCallers = @Sendable (Exchange, PublicNames.Page) -> SessionCaller?

  /// The description of each metric, by its label.
  public static let metricDescriptions = CallMetrics.descriptions

  /// - Parameters:
  ///   - clients: of each service of the suite by its name, one for each event loop in the loops' order.
  ///   - spans: begins the spans of requests.
  ///   - isDraining: whether the process is about to end.
  ///   - page: answers the paths that no method has.
  ///   - session: finds the callers of requests with cookies.
  ///   - names: the hosts that it answers for, and the origins of pages that may call.
  public init(
    _ routes: Routes, reflection: GRPCReflection, clients: [String: [RPCClient]], times: Times, rates: Rates,
    spans: RequestSpans, isDraining: @escaping @Sendable () -> Bool, page: @escaping PageResponders,
    session: @escaping SessionCallers, names: @escaping @Sendable () -> PublicNames
  ) {
    (self.session, self.names, self.spans) = (session, names, spans)
    (self.routes, self.reflection, self.clients, self.times) = (routes, reflection, clients, times)
    (self.rates, self.isDraining, self.page) = (rates, isDraining, page)
  }

  /// Begins to answer a request; on the event loop of its connection.
  public func respond(to exchange: Exchange) -> any Responder {
    let request = exchange.request
    let isAllowed = rates.networks.take(from: ClientNetwork(address: exchange.address))
    let path = (request.path ?? "").prefix { $0 != "?" }
    if exchange.isSocket { return socket(exchange, path, isAllowed: isAllowed) }
    if let refusal = refusal(exchange) { return answered(exchange, refusal) }
    guard let route = routes[path] else {
      if isAllowed, let responder = page(exchange, admission, spans) { return responder }
      if !isAllowed { metrics.refused(Self.tooManyRequests.reason) }
      return answered(
        exchange,
        isAllowed ? notFound(path, exchange) : refusal(of: request, Self.tooManyRequests.status))
    }
    let start = WebCall.start(
      request, route.shape, version: exchange.isHTTP2 ? .http2 : .http1, detailText: detailText)
    switch start {
    case .answer(let output): return answered(exchange, output)
    case .call(var call, let messages):
      guard isAllowed else {
        metrics.refused(Self.tooManyRequests.reason)
        return answered(exchange, call.end(Self.tooManyRequests.status))
      }
      return CallResponder(self, exchange, route, call, messages)
    }
  }

  private func answered(_ exchange: Exchange, _ output: Output) -> any Responder {
    exchange.write(output)
    return Answered()
  }

  /// The caller by a cookie, where the method has callers and the request has no token, which counts more.
  func sessionCaller(_ exchange: Exchange, _ route: Route) -> SessionCaller? {
    let fields = exchange.request.headerFields
    guard route.descriptor.access == .user, fields[.authorization] == nil, fields[.cookie] != nil else { return nil }
    return session(exchange, names().page(of: exchange.request))
  }

  // MARK: Hosts and origins

  /// Answers a request for another host, and the question that a browser asks for another page; `nil` for all others. What is
  /// answered to a page of a listed origin says that it may read it.
  private func refusal(_ exchange: Exchange) -> Output? {
    let (request, names) = (exchange.request, names())
    // The first one is the authority.
    guard let authority = request.authority, request.headerFields[.furtherHost] == nil else {
      return refusal(of: request, Status(.invalidArgument, "A request has one Host"))
    }
    guard names.isOwn(authority) else {
      metrics.refused("HOST_UNKNOWN")
      let status = Status(
        .invalidArgument, reason: "HOST_UNKNOWN",
        "This address does not answer for the host \(authority.prefix(200)); the setting public-hosts names others")
      return refusal(of: request, status, code: 421)
    }
    guard names.hasOrigins, case .listed(let origin) = names.page(of: request) else { return nil }
    for (name, value) in CrossOrigin.fields(origin) {
      exchange.answerFields.append(HTTPField(name: name, value: value))
    }
    return CrossOrigin.preflight(request)
  }

  // MARK: WebSockets

  /// Whether a request becomes a WebSocket: it names a method, and no page of another origin sends it.
  public func takesSocket(_ request: HTTPRequest) -> Bool {
    guard socketRoute((request.path ?? "").prefix { $0 != "?" }) != nil else { return false }
    return isOwnOrListed(request)
  }

  private func isOwnOrListed(_ request: HTTPRequest) -> Bool {
    let names = names()
    guard let authority = request.authority, request.headerFields[.furtherHost] == nil, names.isOwn(authority) else {
      return false
    }
    return names.page(of: request) != .foreign
  }

  /// The method of `/ws/{service}/{method}`.
  private func socketRoute(_ path: Substring) -> Route? {
    path.hasPrefix("/ws/") ? routes[path.dropFirst(3)] : nil
  }

  private func socket(_ exchange: Exchange, _ path: Substring, isAllowed: Bool) -> any Responder {
    guard let route = socketRoute(path) else { return answered(exchange, Output(isEnd: true)) }
    var call = WebCall.socket(route.shape, detailText: detailText)
    guard isAllowed else {
      metrics.refused(Self.tooManyRequests.reason)
      return answered(exchange, call.end(Self.tooManyRequests.status))
    }
    return CallResponder(self, exchange, route, call, [])
  }

  /// Answers a path that leads nowhere, or to a WebSocket that the request does not get.
  private func notFound(_ path: Substring, _ exchange: Exchange) -> Output {
    let request = exchange.request
    guard socketRoute(path) != nil else { return refusal(of: request, Self.unknownMethod(path), code: 404) }
    guard isOwnOrListed(request) else {
      metrics.refused("ORIGIN_REFUSED")
      return refusal(
        of: request,
        Status(.permissionDenied, reason: "ORIGIN_REFUSED", "Pages of this origin may not call; see allowed-origins"))
    }
    var output = refusal(
      of: request, Status(.invalidArgument, "Here a WebSocket (RFC 6455) begins, by HTTP/1.1"), code: 426)
    // HTTP/2 has no such field.
    if !exchange.isHTTP2 { output.head?.headerFields[.upgrade] = "websocket" }
    return output
  }

  private func refusal(of request: HTTPRequest, _ status: Status, code: Int? = nil) -> Output {
    WebCall.refusal(of: request, status, code: code, detailText: detailText)
  }

  private static func unknownMethod(_ path: Substring) -> Status {
    Status(.unimplemented, "There is no method \(path.prefix(200))")
  }

  private static let tooManyRequests = (
    reason: "TOO_MANY_CALLS_OF_ADDRESS",
    status: Status(
      .resourceExhausted, reason: "TOO_MANY_CALLS_OF_ADDRESS",
      "Too many requests came from this address; wait a moment",
      retryAfter: .seconds(1))
  )

  /// Counts a call with an access token; throws where there are too many of them.
  func admit(token: String) throws(Status) {
    guard !rates.tokens.take(from: token.hashValue) else { return }
    metrics.refused("TOO_MANY_CALLS_OF_USER")
    throw Status(
      .resourceExhausted, reason: "TOO_MANY_CALLS_OF_USER", "Too many calls came with this token; wait a moment",
      retryAfter: .seconds(1))
  }

  private var admission: Admission { { token throws(Status) in try self.admit(token: token) } }

  /// The client of a service, on the same event loop as the caller; `nil` where the service has no address.
  func client(of service: String, for exchange: Exchange) -> RPCClient? {
    clients[service].map { $0[exchange.executor.index % $0.count] }
  }

  var detailText: DetailText { routes.contract.detailText }

  /// Whether all of the gateway's services can be called, for `grpc.health.v1.Health`.
  var isServing: Bool { !isDraining() }
}

extension Contract {
  /// The JSON of a status's detail, where the contract has its type.
  package var detailText: DetailText {
    { detail in
      guard let type = message(named: String(detail.typeURL.split(separator: "/").last ?? "")) else { return nil }
      // A detail that cannot be read, or is long, is shown without its text; its bytes are there.
      guard let turn = BoundedTurn(bytes: detail.value.count) else { return nil }
      return try? detail.value.withUnsafeBufferPointer { bytes in try json(fromProtobuf: bytes, type, in: turn) }
    }
  }
}

/// The responder of a request that was answered at its head.
private final class Answered: Responder {
  func receive(_ bytes: ByteBuffer) {}
  func receiveEnd() {}
  func leave() {}
  func becameWritable() {}
}

extension Exchange {
  func write(_ output: Output) {
    write(head: output.head, body: output.body, trailers: output.trailers, isEnd: output.isEnd)
  }
}
