public import TTRPC

extension CallContext {
  /// By this name in its certificate a gateway is known, which calls for clients of its own.
  private static let gatewayName = "gateway"
  /// Where a gateway says whom it calls for. What came to it under this name stands before what it adds.
  private static let forwardedName = "x-forwarded-for"

  /// The client's address without its port: the peer's, or the one that a gateway says it calls for, which anybody else could say.
  public var address: String {
    guard peerService == Self.gatewayName, let said = metadata.values(of: Self.forwardedName).last,
      let last = said.split(separator: ",").last
    else { return peerAddress }
    let address = String(last.drop { $0 == " " })
    return ClientNetwork.isAddress(address) ? address : peerAddress
  }

  private var peerAddress: String {
    guard let colon = peer.lastIndex(of: ":") else { return peer }
    return String(peer[..<colon])
  }
}
