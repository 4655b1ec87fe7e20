import GatewayHTTP
import GatewayProtocols
import HTTPTypes
import TTRPC
import TTRPCClient

/// The paths of the port that are no methods: documents and small pages without login, made of what the services answer.
public final class Pages: Sendable {
  private let fixed: [String: Page]

  /// - Parameters:
  ///   - documents: what is made of the contract; it runs as a part of the program.
  ///   - clients: of each service of the suite by its name, one for each event loop in the loops' order.
  public init(documents: Documents, clients: [String: [RPCClient]]) {
    let calls = SuiteCalls(clients)
    var fixed: [String: Page] = [
      PageAssets.stylePath: Self.file("text/css; charset=utf-8", PageAssets.style),
      PageAssets.scriptPath: Self.file("text/javascript; charset=utf-8", PageAssets.script),
    ]
    for link in MailedLink.all + [.unsubscription] { fixed[link.path] = link.page(calls) }
    fixed["/openapi.json"] = Self.document(documents) { $0.openAPI }
    fixed["/docs"] = Self.document(documents) { $0.page }
    self.fixed = fixed
  }

  /// The responder of a request; `nil` where there is no page of its path.
  public func responder(for exchange: Exchange) -> (any Responder)? {
    page(at: (exchange.request.path ?? "").prefix { $0 != "?" }).map { PageResponder(exchange, $0) }
  }

  private func page(at path: Substring) -> Page? { fixed[String(path)] }

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
