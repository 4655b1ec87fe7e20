import GatewayCalls
import GatewayHTTP
import GatewayPages
import GatewayProtocols
import GatewaySessions
import HTTPTypes
import NIOCore
import TTRPC

/// The operators' listener, on loopback alone: their console, its data, and the methods that the operator's certificate opens. A browser
/// is let in by a link that is good once; nothing else is answered to one that was not, but the page that follows the link.
public final class Desk: Sendable {
  private let gateway: Gateway
  private let sessions: DeskSessions
  private let names: @Sendable () -> PublicNames
  private let pages: [String: Page]
  private let file: @Sendable (Substring) -> Page?
  private let detailText: DetailText

  /// - Parameters:
  ///   - gateway: with the operators' methods, by clients that show the operator's certificate.
  ///   - names: the hosts that it answers for, those of loopback.
  ///   - data: the pages with what the console shows.
  ///   - file: the console's page and its files, which tell nothing of this installation.
  package init(
    _ gateway: Gateway, sessions: DeskSessions, names: @escaping @Sendable () -> PublicNames, data: DeskData,
    file: @escaping @Sendable (Substring) -> Page?, detailText: @escaping DetailText
  ) {
    (self.gateway, self.sessions, self.names, self.file) = (gateway, sessions, names, file)
    self.detailText = detailText
    pages = data.pages(detailText)
  }

  /// Begins to answer a request; on the event loop of its connection.
  public func respond(to exchange: Exchange) -> any Responder {
    let request = exchange.request
    let path = (request.path ?? "").prefix { $0 != "?" }
    guard isOwnHost(request) else { return PageResponder(exchange, Self.wrongHost) }
    if let page = openPage(path) { return PageResponder(exchange, page) }
    if let refusal = refusal(of: request) {
      let output = WebCall.failure(refusal, detailText)
      return PageResponder(exchange, Page([.get, .post]) { _ in output })
    }
    if let page = pages[String(path)] { return PageResponder(exchange, page) }
    return gateway.respond(to: exchange)
  }

  private func isOwnHost(_ request: HTTPRequest) -> Bool {
    guard let authority = request.authority, request.headerFields[values: .furtherHost].isEmpty else { return false }
    return names().isOwn(authority)
  }

  private static let wrongHost = Page([.get, .post]) { _ in
    .answer(
      421, "text/plain; charset=utf-8", Array("The operators' console answers for localhost alone.\n".utf8))
  }

  /// What is answered without a session.
  private func openPage(_ path: Substring) -> Page? {
    switch path {
    case "/desk/enter": entrance
    case "/desk/leave": exit
    default: file(path)
    }
  }

  /// `nil` for a request that a script of the console's own page makes in a session.
  private func refusal(of request: HTTPRequest) -> Status? {
    guard sessions.includes(request) else {
      return Status(
        .unauthenticated, reason: "LINK_NEEDED", "No browser is let in here without a link; `tandem console` makes one")
    }
    return SessionGuard.refusal(of: request, page: names().page(of: request), for: .call)
  }

  /// Takes the token of a link, as the body of a request of the console's own page.
  private var entrance: Page {
    guarded { [sessions] request in
      let token = String(decoding: request.body, as: UTF8.self)
      do {
        let cookie = try sessions.enter(token.filter { $0 != "\"" && !$0.isWhitespace })
        return Self.done([cookie])
      } catch let refusal as DeskSessions.LinkRefusal {
        throw Status(.permissionDenied, reason: "LINK_REFUSED", "\(refusal.sentence); `tandem console` makes another")
      }
    }
  }

  private var exit: Page { guarded { [sessions] in Self.done([sessions.leave($0.head)]) } }

  private func guarded(_ act: @escaping @Sendable (PageRequest) throws -> Output) -> Page {
    Page([.post]) { [names, detailText] request in
      if let refusal = SessionGuard.refusal(of: request.head, page: names().page(of: request.head), for: .call) {
        return WebCall.failure(refusal, detailText)
      }
      do { return try act(request) } catch {
        let status = error as? Status ?? Status(.internal, "The request failed")
        return WebCall.failure(status, detailText)
      }
    }
  }

  private static func done(_ cookies: [String]) -> Output {
    var output = Output.answer(200, "application/json", Array("{}".utf8), [(.cacheControl, "private, no-store")])
    for cookie in cookies { output.head?.headerFields.append(HTTPField(name: .setCookie, value: cookie)) }
    return output
  }
}

extension DeskSessions.LinkRefusal {
  fileprivate var sentence: String {
    switch self {
    case .unknown: "This link was not made for this gateway"
    case .late: "This link is too old, or older than the gateway's last start"
    case .used: "This link was followed before"
    }
  }
}
