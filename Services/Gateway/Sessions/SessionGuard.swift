import GatewayProtocols
import HTTPTypes
import TTRPC

/// Decides whether the cookie of a request counts: a browser sends it without asking the person, so the request must be one that only a
/// script of the gateway's own pages can make.
public enum SessionGuard {
  /// What a request with a cookie is for.
  public enum Use: Sendable {
    case call
    /// It begins a WebSocket, to which a page can add no field: there the `Origin` alone counts, which every browser sends.
    case socket
    /// It reads a picture, which a page's elements do without further fields; nothing changes by it.
    case picture
    /// It brings a picture.
    case upload
  }

  private static let pictureTypes: Set<String> = ["image/jpeg", "image/png", "image/webp"]

  /// Content types that no form has, written as no form writes them.
  private static let contentTypes: Set<String> = [
    "application/json", "application/proto", "application/connect+json", "application/connect+proto",
  ]

  /// - Parameter page: whose page the request comes from, by its `Origin`.
  /// - Returns: `nil` where the cookie counts, else the refusal to answer with.
  public static func refusal(of request: HTTPRequest, page: PublicNames.Page, for use: Use) -> Status? {
    if use == .socket {
      return page == .own ? nil : refused("Only a page of the gateway's own host may use its cookie")
    }
    let fields = request.headerFields
    let sites = fields[values: .secFetchSite]
    // An old browser does not send it; then the origin must be there.
    let isSameOrigin = sites.isEmpty ? page == .own : sites == ["same-origin"] && (page == .own || page == .none)
    guard isSameOrigin else { return refused("Only a page of the gateway's own host may use its cookie") }
    if use == .picture { return nil }
    guard fields[values: .connectProtocolVersion] == ["1"] else {
      return refused("With a cookie a request needs the field Connect-Protocol-Version: 1")
    }
    let types = use == .upload ? pictureTypes : contentTypes
    guard request.method == .get || types.contains(fields[.contentType] ?? "") else {
      return refused("With a cookie the content type must be \(types.sorted().joined(separator: ", "))")
    }
    return nil
  }

  private static func refused(_ message: String) -> Status {
    Status(.permissionDenied, reason: "CROSS_SITE_REQUEST", message)
  }
}
