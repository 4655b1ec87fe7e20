import GatewayCalls
import GatewayProtocols
import HTTPTypes
import TTRPC
import TTRPCClient

/// The services, as pages call them: in the name of the client's address and of nobody else.
struct SuiteCalls: Sendable {
  private let clients: [String: [RPCClient]]

  /// How long a page's call may take.
  private static let timeout = Duration.seconds(30)

  /// - Parameter clients: of each service by its name, one for each event loop in the loops' order.
  init(_ clients: [String: [RPCClient]]) { self.clients = clients }

  /// The client of a service, on the event loop of the request.
  func client(of service: String, for request: PageRequest) throws(Status) -> RPCClient {
    guard let clients = clients[service], !clients.isEmpty else {
      throw Status(.unavailable, "The service \(service) is not part of this installation")
    }
    return clients[request.loop % clients.count]
  }

  /// The deadline, and the client's address: services limit how often it tries.
  func options(for request: PageRequest) -> CallOptions {
    var metadata = Metadata()
    metadata.append(HTTPField.Name.forwardedFor.canonicalName, request.address)
    // Where calls are recorded, those of a page are below its span.
    for name in RequestSpans.isRecording ? [] : [HTTPField.Name.traceParent, .traceState] {
      for value in request.head.headerFields[values: name] { metadata.append(name.canonicalName, value) }
    }
    return CallOptions(timeout: Self.timeout, metadata: metadata)
  }

  /// What a failed call says.
  static func status(of error: any Error) -> Status {
    switch error {
    case let status as Status: status
    case let convertible as any StatusConvertible: convertible.status
    default: Status(.internal, "The call failed")
    }
  }
}
