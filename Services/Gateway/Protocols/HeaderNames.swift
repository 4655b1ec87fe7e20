import HTTPTypes

extension HTTPField.Name {
  package static let connectProtocolVersion = known("Connect-Protocol-Version")
  package static let connectTimeout = known("Connect-Timeout-Ms")
  package static let connectContentEncoding = known("Connect-Content-Encoding")
  package static let connectAcceptEncoding = known("Connect-Accept-Encoding")
  package static let acceptPost = known("Accept-Post")
  package static let grpcTimeout = known("grpc-timeout")
  package static let grpcEncoding = known("grpc-encoding")
  package static let grpcAcceptEncoding = known("grpc-accept-encoding")
  package static let grpcStatus = known("grpc-status")
  package static let grpcMessage = known("grpc-message")
  package static let grpcStatusDetails = known("grpc-status-details-bin")
  package static let forwardedFor = known("x-forwarded-for")
  package static let prefer = known("Prefer")
  package static let requestID = known("x-request-id")
  package static let traceParent = known("traceparent")
  package static let traceState = known("tracestate")
  package static let referrerPolicy = known("Referrer-Policy")
  package static let secFetchSite = known("Sec-Fetch-Site")
  /// A request's second one: the first is its authority.
  package static let furtherHost = known("Host")
  package static let nosniff = known("x-content-type-options")

  private static func known(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a header") }
    return name
  }
}
