import NIOSSL

/// The source of TLS for new connections; called once per connection, so that certificates can be renewed while others
/// run.
public struct TLSSource: Sendable {
  package let context: @Sendable () -> NIOSSLContext
  package let service: @Sendable ([UInt8]) -> String?

  /// - Parameters:
  ///   - context: returns the context for the next connection.
  ///   - service: the service that a certificate, in DER, names; called only for one that the context has verified.
  public init(
    context: @escaping @Sendable () -> NIOSSLContext, service: @escaping @Sendable ([UInt8]) -> String? = { _ in nil }
  ) {
    self.context = context
    self.service = service
  }
}
