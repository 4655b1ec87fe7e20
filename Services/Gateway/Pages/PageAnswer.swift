import GatewayProtocols
import HTTPTypes
import TTRPC

/// Answers with pages, which nothing may keep, frame, or be told of.
package enum PageAnswer {
  package static let security: [(HTTPField.Name, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'"
    ),
    (.referrerPolicy, "no-referrer"),
  ]

  static func html(_ code: Int, _ page: [UInt8], _ fields: [(HTTPField.Name, String)] = []) -> Output {
    var all = security
    all.append((.cacheControl, "private, no-store"))
    all += fields
    return .answer(code, "text/html; charset=utf-8", page, all)
  }

  /// A page that says why there is nothing else.
  static func failure(_ status: Status) -> Output {
    let body = "<h1>This did not work</h1>\n<p role=\"alert\">\(HTMLText.escaped(sentence(of: status)))</p>"
    return html(status.code.httpStatus, HTMLText.page(title: "This did not work", body: body), retry(status))
  }

  /// What a status says to a person. Messages of failures inside are for engineers.
  static func sentence(of status: Status) -> String {
    switch status.code {
    case .internal, .unknown, .dataLoss, .unavailable, .deadlineExceeded, .cancelled, .unimplemented:
      "The service is not available at the moment. Please try again later."
    default: status.message
    }
  }

  /// When to try again, where the status says it.
  static func retry(_ status: Status) -> [(HTTPField.Name, String)] {
    guard let wait = status.retryAfter else { return [] }
    return [(.retryAfter, "\(max(1, wait.components.seconds))")]
  }

  static func notAllowed(_ methods: [HTTPRequest.Method]) -> Output {
    .answer(
      405, "text/plain; charset=utf-8", Array("This address takes other methods of HTTP.\n".utf8),
      [(.allow, methods.map(\.rawValue).joined(separator: ", "))])
  }
}
