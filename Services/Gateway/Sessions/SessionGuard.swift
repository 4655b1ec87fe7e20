import GatewayProtocols
import HTTPTypes
import TTRPC

/// Decides whether the cookie of a request counts: a browser sends it without asking the person, so the request must be one that only a
/// script of the gateway's own pages can make.
public enum SessionGuard {
  /// Content types that no form has, written as no form writes them.
  private static let contentTypes: Set<String> = [
    "application/json", "application/proto", "application/connect+json", "application/connect+proto",
  ]

  /// - Parameters:
  ///   - page: whose page the request comes from, by its `Origin`.
  ///   - isSocket: whether it begins a WebSocket, to which a page can add no field: there the `Origin` alone counts, which every
  ///     browser sends.
  /// - Returns: `nil` where the cookie counts, else the refusal to answer with.
  public static func refusal(of request: HTTPRequest, page: PublicNames.Page, isSocket: Bool = false) -> Status? {
    if isSocket { return page == .own ? nil : refused("Only a page of the gateway's own host may use its cookie") }
    let fields = request.headerFields
    let sites = fields[values: .secFetchSite]
    // An old browser does not send it; then the origin must be there.
    let isSameOrigin = sites.isEmpty ? page == .own : sites == ["same-origin"] && (page == .own || page == .none)
    guard isSameOrigin else { return refused("Only a page of the gateway's own host may use its cookie") }
    guard fields[values: .connectProtocolVersion] == ["1"] else {
      return refused("With a cookie a request needs the field Connect-Protocol-Version: 1")
    }
    guard request.method == .get || contentTypes.contains(fields[.contentType] ?? "") else {
      return refused("With a cookie the content type must be \(contentTypes.sorted().joined(separator: ", "))")
    }
    return nil
  }

  private static func refused(_ message: String) -> Status {
    Status(.permissionDenied, reason: "CROSS_SITE_REQUEST", message)
  }
}
