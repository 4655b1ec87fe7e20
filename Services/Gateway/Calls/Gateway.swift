import GatewayHTTP
import ClientAddresses
import GatewayProtocols
import GatewayTranscoder
import HTTPTypes
import NIOCore
import TTRPC
import TTRPCClient

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

  let routes: Routes
  let reflection: GRPCReflection
  let times: Times
  let metrics = CallMetrics()
  private let clients: [String: [RPCClient]]
  private let rates: RequestRates
  private let isDraining: @Sendable () -> Bool
  private let page: PageResponders

  /// Makes the responder of a request that calls no method; `nil` where there is no page of its path.
  public typealias PageResponders = @Sendable (Exchange) -> (any Responder)?

  /// The description of each metric, by its label.
  public static let metricDescriptions = CallMetrics.descriptions

  /// - Parameters:
  ///   - clients: of each service of the suite by its name, one for each event loop in the loops' order.
  ///   - isDraining: whether the process is about to end.
  ///   - page: answers the paths that no method has.
  public init(
    _ routes: Routes, reflection: GRPCReflection, clients: [String: [RPCClient]], times: Times, rates: RequestRates,
    isDraining: @escaping @Sendable () -> Bool, page: @escaping PageResponders
  ) {
    (self.routes, self.reflection, self.clients, self.times) = (routes, reflection, clients, times)
    (self.rates, self.isDraining, self.page) = (rates, isDraining, page)
  }

  /// Begins to answer a request; on the event loop of its connection.
  public func respond(to exchange: Exchange) -> any Responder {
    let request = exchange.request
    let isAllowed = rates.take(from: ClientNetwork(address: exchange.address))
    let path = (request.path ?? "").prefix { $0 != "?" }
    guard let route = routes[path] else {
      if isAllowed, let responder = page(exchange) { return responder }
      if !isAllowed { metrics.refused(Self.tooManyRequests.reason) }
      exchange.write(
        WebCall.refusal(of: request, isAllowed ? Self.unknownMethod(path) : Self.tooManyRequests.status))
      return Answered()
    }
    let start = WebCall.start(
      request, route.shape, version: exchange.isHTTP2 ? .http2 : .http1, detailText: detailText)
    switch start {
    case .answer(let output):
      exchange.write(output)
      return Answered()
    case .call(var call, let messages):
      guard isAllowed else {
        metrics.refused(Self.tooManyRequests.reason)
        exchange.write(call.end(Self.tooManyRequests.status))
        return Answered()
      }
      return CallResponder(self, exchange, route, call, messages)
    }
  }

  private static func unknownMethod(_ path: Substring) -> Status {
    Status(.unimplemented, "There is no method \(path.prefix(200))")
  }

  private static let tooManyRequests = (
    reason: "TOO_MANY_REQUESTS",
    status: Status(
      .resourceExhausted, reason: "TOO_MANY_REQUESTS", "Too many requests came from this address; wait a moment",
      retryAfter: .seconds(1))
  )

  /// The client of a service, on the same event loop as the caller; `nil` where the service has no address.
  func client(of service: String, for exchange: Exchange) -> RPCClient? {
    clients[service].map { $0[exchange.executor.index % $0.count] }
  }

  /// The JSON of a status's detail, where the contract has its type.
  var detailText: DetailText {
    { [contract = routes.contract] detail in
      guard let type = contract.message(named: String(detail.typeURL.split(separator: "/").last ?? "")) else {
        return nil
      }
      // A detail that cannot be read is shown without its text; its bytes are there.
      return try? detail.value.withUnsafeBufferPointer { bytes in try contract.json(fromProtobuf: bytes, type) }
    }
  }

  /// Whether all of the gateway's services can be called, for `grpc.health.v1.Health`.
  var isServing: Bool { !isDraining() }
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
