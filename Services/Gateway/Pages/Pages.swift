import GatewayCalls
import GatewayHTTP
import GatewayProtocols
import GatewayTranscoder
import HTTPTypes
import TTRPC
import TTRPCClient

/// The paths of the port that are no methods: documents and small pages without login, made of what the services answer.
public final class Pages: Sendable {
  private let fixed: [String: Page]
  private let calls: SuiteCalls
  private let sessions: SessionPages?
  private let detailText: DetailText
  private let console: Console?

  /// - Parameters:
  ///   - contract: writes the details of errors.
  ///   - documents: what is made of the contract; it runs as a part of the program.
  ///   - clients: of each service of the suite by its name, one for each event loop in the loops' order.
  ///   - sessions: logging in and out of browsers; `nil` where there is no key for their cookies.
  ///   - console: `nil` where the port has none.
  public init(
    contract: Contract, documents: Documents, clients: [String: [RPCClient]], sessions: SessionPages?,
    console: Console?
  ) {
    self.console = console
    detailText = contract.detailText
    let calls = SuiteCalls(clients)
    var fixed: [String: Page] = [:]
    for link in MailedLink.all + [.unsubscription] { fixed[link.path] = link.page(calls) }
    if let sessions { fixed.merge(sessions.pages(calls)) { first, _ in first } }
    // Up to here pages call services.
    for path in fixed.keys { fixed[path]?.name = path }
    fixed.merge(Card.pages) { first, _ in first }
    fixed[PageAssets.stylePath] = Self.file("text/css; charset=utf-8", PageAssets.style)
    fixed[PageAssets.scriptPath] = Self.file("text/javascript; charset=utf-8", PageAssets.script)
    fixed["/openapi.json"] = Self.document(documents) { $0.openAPI }
    fixed["/docs"] = Self.document(documents) { $0.page }
    fixed[Callback.scriptPath] = Self.file("text/javascript; charset=utf-8", Callback.script)
    // They complete what a session began.
    if sessions != nil { fixed.merge(Callback.pages) { first, _ in first } }
    (self.fixed, self.calls, self.sessions) = (fixed, calls, sessions)
  }

  /// The responder of a request; `nil` where there is no page of its path.
  ///
  /// - Parameters:
  ///   - admission: counts what is done in the name of a user.
  ///   - spans: begins the spans of what calls services.
  public func responder(
    for exchange: Exchange, admission: @escaping Gateway.Admission, spans: RequestSpans
  ) -> (any Responder)? {
    let path = (exchange.request.path ?? "").prefix { $0 != "?" }
    if let source = PictureSource(path) {
      return PictureResponder(
        exchange, source, calls, sessions?.caller(of: exchange, for: source.isUpload ? .upload : .picture),
        admission: admission, spans: spans, detailText: detailText)
    }
    return page(at: path).map { PageResponder(exchange, $0, admission: admission, spans: spans) }
  }

  private func page(at path: Substring) -> Page? {
    if let page = fixed[String(path)] { return page }
    if let page = console?.page(at: path) { return page }
    guard let link = LinkPath(path) else { return nil }
    var page = page(of: link)
    page.name = link.name
    return page
  }

  private func page(of link: LinkPath) -> Page {
    switch link {
    case .shared(let kind, let token): return kind.page(token, calls, map: console?.map)
    case .picture(let kind, let token): return kind.picture(token, calls)
    case .calendar(let token): return CalendarFeed.page(token, calls)
    case .webhook(let provider): return Webhook.page(provider, calls, detailText)
    }
  }

  private static func file(_ contentType: String, _ text: String) -> Page {
    let stored = StoredAnswer(contentType, Array(text.utf8))
    return Page([.get]) { stored.answer(to: $0.head) }
  }

  private static func document(
    _ documents: Documents, _ part: @escaping @Sendable (Documents.Made) -> StoredAnswer
  ) -> Page {
    Page([.get]) { request in
      guard let made = await documents.made() else {
        return PageAnswer.failure(Status(.unavailable, "The documents could not be made"))
      }
      return part(made).answer(to: request.head)
    }
  }
}

/// A path that has the token of a link.
enum LinkPath: Equatable {
  /// `/share/book/…`
  case shared(SharedLink, token: String)
  /// `/share/book/…/picture`
  case picture(SharedLink, token: String)
  /// `/calendar/….ics`
  case calendar(token: String)
  /// `/webhooks/…`
  case webhook(provider: String)

  /// `nil` for any other path, and for a token that no service makes.
  init?(_ path: Substring) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    switch parts.first {
    case "share" where parts.count == 3 || parts.count == 4 && parts[3] == "picture":
      guard let kind = SharedLink(rawValue: parts[1]), Self.isToken(parts[2]) else { return nil }
      self = parts.count == 3 ? .shared(kind, token: parts[2]) : .picture(kind, token: parts[2])
    case "calendar" where parts.count == 2 && parts[1].hasSuffix(".ics"):
      let token = String(parts[1].dropLast(4))
      guard Self.isToken(token) else { return nil }
      self = .calendar(token: token)
    case "webhooks" where parts.count == 2:
      guard Self.isToken(parts[1]) else { return nil }
      self = .webhook(provider: parts[1])
    default: return nil
    }
  }

  /// The path without what is its own.
  var name: String {
    switch self {
    case .shared(let kind, _): "/share/\(kind.rawValue)/{token}"
    case .picture(let kind, _): "/share/\(kind.rawValue)/{token}/picture"
    case .calendar: "/calendar/{token}.ics"
    case .webhook: "/webhooks/{provider}"
    }
  }

  /// Base64 for URLs, of a length that a method takes.
  private static func isToken(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
