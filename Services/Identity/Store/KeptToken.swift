/// A push token in its stored form: found by its hash, and readable only by the service.
package struct KeptToken: Sendable, Equatable {
  /// SHA-256 of the token.
  package let hash: [UInt8]
  package let sealed: [UInt8]

  package init(hash: [UInt8], sealed: [UInt8]) { (self.hash, self.sealed) = (hash, sealed) }
}
