public import TTRPC

extension CallContext {
  /// The name in the certificate of a gateway, which calls on behalf of its own clients.
  public static let gatewayName = "gateway"
  /// The metadata in which a gateway names its client. A value that the gateway received under this name comes before
  /// the one that it adds.
  private static let forwardedName = "x-forwarded-for"

  /// The client's address without its port: the peer's, or the one that a gateway forwards. From any other peer a
  /// forwarded address is ignored.
  public var address: String { forwardedAddress ?? peerAddress }

  /// The text of the network that counts as one client with the caller ([ID-10]).
  public var clientNetwork: String { ClientNetwork(address: address).description }

  /// The client's address as a gateway forwards it; `nil` for every other peer, and where the gateway names none.
  public var forwardedAddress: String? { forwardedText.flatMap { ClientNetwork.isAddress($0) ? $0 : nil } }

  /// What a gateway says is the client's address, whatever it is; `nil` for every other peer, and where the gateway says
  /// nothing.
  public var forwardedText: String? {
    guard peerService == Self.gatewayName, let said = metadata.values(of: Self.forwardedName).last else { return nil }
    return String((said.split(separator: ",", omittingEmptySubsequences: false).last ?? "").drop { $0 == " " })
  }

  private var peerAddress: String {
    guard let colon = peer.lastIndex(of: ":") else { return peer }
    return String(peer[..<colon])
  }
}
