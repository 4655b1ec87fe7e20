import Cryptography
import Environment
import GatewayCalls
import GatewayHTTP
import GatewayProtocols
import GoogleProtobuf
import HTTPTypes
import Identifiers
import TTRPC
import TTRPCClient
import TandemIdentity

/// What the cookie of a session has: the tokens, which no page gets.
package struct BrowserSession: Sendable, Equatable {
  package var accessToken: String
  package var refreshToken: String
  /// Seconds since 1970.
  package var accessExpiry: Int64
  package var refreshExpiry: Int64

  package init(accessToken: String, refreshToken: String, accessExpiry: Int64, refreshExpiry: Int64) {
    (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
    (self.accessExpiry, self.refreshExpiry) = (accessExpiry, refreshExpiry)
  }

  init?(_ texts: [String]) {
    guard texts.count == 4, let access = Int64(texts[2]), let refresh = Int64(texts[3]) else { return nil }
    self.init(accessToken: texts[0], refreshToken: texts[1], accessExpiry: access, refreshExpiry: refresh)
  }

  var texts: [String] { [accessToken, refreshToken, "\(accessExpiry)", "\(refreshExpiry)"] }
}

/// The sessions of browsers: identity's, whose tokens are in a sealed cookie. Nothing of them is kept here, so any replica answers.
public final class Sessions: Sendable {
  private let session: SealedCookie
  private let device: SealedCookie
  private let identity: [RPCClient]
  private let clock: any WallClock

  /// A token that is about to expire would expire on its way.
  private static let margin: Int64 = 5
  /// A year, as identity remembers a device.
  private static let deviceSeconds: Int64 = 365 * 86_400

  /// - Parameter identity: clients of identity, one for each event loop in the loops' order.
  public init(seal: Seal, identity: [RPCClient], clock: any WallClock = SystemClock()) {
    (session, device) = (SealedCookie("session", seal: seal), SealedCookie("device", seal: seal))
    (self.identity, self.clock) = (identity, clock)
  }

  /// In whose name a request is by its cookie; `nil` without one.
  public func caller(
    of exchange: Exchange, page: PublicNames.Page, for use: SessionGuard.Use
  ) -> SessionCaller? {
    guard let found = browserSession(of: exchange.request) else { return nil }
    if let refusal = SessionGuard.refusal(of: exchange.request, page: page, for: use) {
      return .refused(refusal)
    }
    if isCurrent(found) { return .known(found.accessToken) }
    // Its head has been answered: there is no way left for a new cookie.
    if use == .socket { return .refused(Self.expired) }
    let (address, loop) = (exchange.address, exchange.executor.index)
    return .renewed {
      do {
        let (session, cookie) = try await self.renewed(found, address: address, loop: loop)
        return RenewedCaller(.success(session.accessToken), setCookie: cookie)
      } catch {
        let status = Self.status(of: error)
        return RenewedCaller(.failure(status), setCookie: Self.isOver(status) ? self.session.cleared : nil)
      }
    }
  }

  private static var expired: Status {
    Status(.unauthenticated, reason: "TOKEN_EXPIRED", "The session needs /session/refresh before a WebSocket begins")
  }

  /// Whether a session's access token is good for a call.
  package func isCurrent(_ session: BrowserSession) -> Bool { session.accessExpiry > now + Self.margin }

  private var now: Int64 { clock.now.microseconds / 1_000_000 }

  package func browserSession(of request: HTTPRequest) -> BrowserSession? {
    session.texts(of: request).flatMap(BrowserSession.init)
  }

  /// The token by which identity knows the browser again.
  package func deviceToken(of request: HTTPRequest) -> String? { device.texts(of: request)?.first }

  /// The cookies of a new session.
  package func cookies(of login: LoginResponse) throws -> [String] {
    let begun = BrowserSession(
      accessToken: login.accessToken, refreshToken: login.refreshToken,
      accessExpiry: login.accessTokenExpireTime?.seconds ?? 0, refreshExpiry: login.refreshTokenExpireTime?.seconds ?? 0
    )
    var cookies = [try cookie(of: begun)]
    if !login.deviceToken.isEmpty {
      cookies.append(try device.field([login.deviceToken], lasts: Self.deviceSeconds))
    }
    return cookies
  }

  /// What takes a session's cookie away. The device stays known, as after identity's Logout.
  package var cleared: String { session.cleared }

  /// Whether a refused refresh says that there is nothing left to refresh. A token that was used by a concurrent call leaves a session
  /// whose cookie the browser is about to get.
  package static func isOver(_ status: Status) -> Bool {
    ["SESSION_REVOKED", "REFRESH_TOKEN_INVALID"].contains(status.errorInfo?.reason)
  }

  /// Continues a session: new tokens, and their cookie.
  package func renewed(
    _ old: BrowserSession, address: String, loop: Int
  ) async throws -> (session: BrowserSession, cookie: String) {
    guard !identity.isEmpty else { throw Status(.unavailable, "The service identity is not part of this installation") }
    var request = RefreshRequest()
    request.refreshToken = old.refreshToken
    request.requestID = Self.requestID(of: old.refreshToken)
    var options = CallOptions(timeout: .seconds(10))
    options.metadata.append(HTTPField.Name.forwardedFor.canonicalName, address)
    let answer = try await AccountsClient(identity[loop % identity.count]).refresh(request, options)
    let session = BrowserSession(
      accessToken: answer.accessToken, refreshToken: answer.refreshToken,
      accessExpiry: answer.accessTokenExpireTime?.seconds ?? 0,
      refreshExpiry: answer.refreshTokenExpireTime?.seconds ?? 0)
    return (session, try cookie(of: session))
  }

  private func cookie(of begun: BrowserSession) throws -> String {
    try session.field(begun.texts, lasts: begun.refreshExpiry - now)
  }

  /// The idempotency key of a refresh, made of its token: several tabs and replicas that refresh at once get the same pair ([ID-6]).
  package static func requestID(of refreshToken: String) -> String {
    let digest = Digest.sha256(refreshToken.utf8)
    let (high, low) = (digest[0..<8], digest[8..<16])
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    // Version 8 is for ids that are made in a way of one's own (RFC 9562, section 5.8).
    return UUID7(
      high: number(high) & ~0xF000 | 0x8000, low: number(low) & (1 << 62 - 1) | 1 << 63
    ).description
  }

  private static func status(of error: any Error) -> Status {
    switch error {
    case let status as Status: status
    case let convertible as any StatusConvertible: convertible.status
    default: Status(.internal, "The call failed")
    }
  }
}
