public import TTRPC

extension CallContext {
  /// By this name in its certificate a gateway is known, which calls for clients of its own.
  public static let gatewayName = "gateway"
  /// Where a gateway says whom it calls for. What came to it under this name stands before what it adds.
  private static let forwardedName = "x-forwarded-for"

  /// The client's address without its port: the peer's, or the one that a gateway says it calls for, which anybody else could say.
  public var address: String { forwardedAddress ?? peerAddress }

  /// What counts as one client with the one that calls ([ID-10]), in text.
  public var clientNetwork: String { ClientNetwork(address: address).description }

  /// The address of the client that a gateway says it calls for; `nil` for every other peer, and where the gateway does not say.
  public var forwardedAddress: String? {
    guard peerService == Self.gatewayName, let said = metadata.values(of: Self.forwardedName).last,
      let last = said.split(separator: ",").last
    else { return nil }
    let address = String(last.drop { $0 == " " })
    return ClientNetwork.isAddress(address) ? address : nil
  }

  private var peerAddress: String {
    guard let colon = peer.lastIndex(of: ":") else { return peer }
    return String(peer[..<colon])
  }
}
