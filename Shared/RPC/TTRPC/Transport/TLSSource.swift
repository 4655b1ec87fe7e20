import NIOSSL

/// Where a new connection takes its TLS from; asked once per connection, so that certificates can be renewed while others run.
public struct TLSSource: Sendable {
  let context: @Sendable () -> NIOSSLContext
  let service: @Sendable ([UInt8]) -> String?

  /// - Parameters:
  ///   - context: what the next connection uses.
  ///   - service: the service that a certificate, DER, names; asked only of one that the context has verified.
  public init(
    context: @escaping @Sendable () -> NIOSSLContext, service: @escaping @Sendable ([UInt8]) -> String? = { _ in nil }
  ) {
    self.context = context
    self.service = service
  }
}
