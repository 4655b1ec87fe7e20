import IdentityStore

/// Where a call came from, for what is noted and mailed about it.
package struct CallOrigin: Sendable {
  /// The client's address, as the log shows it.
  package let address: String
  /// The network that the address counts as.
  package let network: String
  /// The session of the caller; `nil` for a caller who is not logged in.
  package let session: SessionID?

  package init(address: String, network: String, session: SessionID?) {
    (self.address, self.network, self.session) = (address, network, session)
  }
}
