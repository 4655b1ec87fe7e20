import GatewayHTTP
import HTTPTypes
import TTRPC

/// In whose name a request is that has no token of its own, but the cookie of a session.
public enum SessionCaller: Sendable {
  /// By an access token.
  case known(String)
  /// By an access token that has to be got first.
  case renewed(@Sendable () async -> RenewedCaller)
  /// The cookie does not count.
  case refused(Status)
}

/// The token that was got, or why there is none, and the cookie that the answer sets in either case.
public struct RenewedCaller: Sendable {
  let token: Result<String, Status>
  let setCookie: String?

  public init(_ token: Result<String, Status>, setCookie: String?) {
    (self.token, self.setCookie) = (token, setCookie)
  }
}

extension SessionCaller {
  /// The access token; the cookie of one that had to be got becomes a field of the answer. On the event loop of the exchange, to which it
  /// returns.
  package func token(for exchange: Exchange) async throws -> String {
    switch self {
    case .known(let token): return token
    case .refused(let status): throw status
    case .renewed(let renew):
      let renewed = await renew()
      if let cookie = renewed.setCookie {
        exchange.answerFields.append(HTTPField(name: .setCookie, value: cookie))
      }
      return try renewed.token.get()
    }
  }
}
