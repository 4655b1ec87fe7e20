import GatewayCalls
import GatewayHTTP
import GatewayProtocols
import GatewaySessions
import GatewayTranscoder
import HTTPTypes
import TTRPC
import TTRPCClient
import TandemIdentity
import WorkerPool

/// Logging in and out of browsers. The answers have what a page needs to know; the tokens are in cookies, which no page can read.
public struct SessionPages: Sendable {
  private let sessions: Sessions
  private let contract: Contract
  private let names: @Sendable () -> PublicNames

  /// - Parameter names: the hosts of the port, whose pages alone may log in here.
  public init(_ sessions: Sessions, contract: Contract, names: @escaping @Sendable () -> PublicNames) {
    (self.sessions, self.contract, self.names) = (sessions, contract, names)
  }

  /// In whose name a request for a picture is by its cookie.
  func caller(of exchange: Exchange, for use: SessionGuard.Use) -> SessionCaller? {
    sessions.caller(of: exchange, page: names().page(of: exchange.request), for: use)
  }

  /// The pages by their paths.
  func pages(_ calls: SuiteCalls) -> [String: Page] {
    [
      "/session/login": login(calls, "LoginRequest") { bytes, device, client, options in
        var request = try LoginRequest(serialized: bytes)
        if let device { request.deviceToken = device }
        return try await AccountsClient(client).login(request, options)
      },
      "/session/login/passkey": login(calls, "LoginWithPasskeyRequest") { bytes, device, client, options in
        var request = try LoginWithPasskeyRequest(serialized: bytes)
        if let device { request.deviceToken = device }
        return try await PasskeysClient(client).loginWithPasskey(request, options)
      },
      "/session/login/provider": login(calls, "CompleteFederatedLoginRequest") { bytes, device, client, options in
        var request = try CompleteFederatedLoginRequest(serialized: bytes)
        if let device { request.deviceToken = device }
        return try await FederatedLoginsClient(client).completeFederatedLogin(request, options)
      },
      "/session/register/provider": guarded { try await register($0, calls) },
      "/session/logout": guarded { try await logout($0, calls) },
      "/session/refresh": guarded { try await refresh($0) },
    ]
  }

  private typealias Login =
    @Sendable (_ request: [UInt8], _ device: String?, RPCClient, CallOptions) async throws -> LoginResponse

  private func login(_ calls: SuiteCalls, _ message: String, _ act: @escaping Login) -> Page {
    guarded { request in
      let bytes = try protobuf(request.body, "tandem.identity.v1.\(message)")
      var answer = try await act(
        bytes, sessions.deviceToken(of: request.head), try calls.client(of: "identity", for: request),
        calls.options(for: request))
      let cookies = try sessions.cookies(of: answer)
      answer.removeTokens()
      return Self.answer(try json(answer.serialized(), "tandem.identity.v1.LoginResponse"), cookies)
    }
  }

  /// Makes an account for a user whom a provider knows. Its session begins where the provider has verified the address.
  private func register(_ request: PageRequest, _ calls: SuiteCalls) async throws -> Output {
    let bytes = try protobuf(request.body, "tandem.identity.v1.RegisterWithIdentityRequest")
    let client = FederatedLoginsClient(try calls.client(of: "identity", for: request))
    var answer = try await client.registerWithIdentity(
      RegisterWithIdentityRequest(serialized: bytes), calls.options(for: request))
    let cookies = try answer.login.map { try sessions.cookies(of: $0) } ?? []
    answer.login?.removeTokens()
    return Self.answer(try json(answer.serialized(), "tandem.identity.v1.RegisterWithIdentityResponse"), cookies)
  }

  /// Ends the session at identity, where it has not ended there already, and takes the cookie away in any case.
  private func logout(_ request: PageRequest, _ calls: SuiteCalls) async throws -> Output {
    let empty = Array("{}".utf8)
    guard let session = sessions.browserSession(of: request.head) else { return Self.answer(empty, [sessions.cleared]) }
    try request.admission(session.accessToken)
    do {
      var current = session
      if !sessions.isCurrent(session) {
        current = try await sessions.renewed(session, address: request.address, loop: request.loop).session
      }
      var options = calls.options(for: request)
      options.metadata.append(HTTPField.Name.authorization.canonicalName, "Bearer \(current.accessToken)")
      _ = try await AccountsClient(try calls.client(of: "identity", for: request)).logout(LogoutRequest(), options)
    } catch {
      let status = SuiteCalls.status(of: error)
      // It may live on: the page says so, and tries again.
      guard status.code == .unauthenticated else { throw status }
    }
    return Self.answer(empty, [sessions.cleared])
  }

  private func refresh(_ request: PageRequest) async throws -> Output {
    guard let session = sessions.browserSession(of: request.head) else {
      throw Status(.unauthenticated, reason: "TOKEN_MISSING", "There is no session")
    }
    try request.admission(session.accessToken)
    let renewed = try await sessions.renewed(session, address: request.address, loop: request.loop)
    var answer = LoginResponse()
    answer.accessTokenExpireTime = .init(seconds: renewed.session.accessExpiry)
    answer.refreshTokenExpireTime = .init(seconds: renewed.session.refreshExpiry)
    return Self.answer(try json(answer.serialized(), "tandem.identity.v1.LoginResponse"), [renewed.cookie])
  }

  /// A page that only a script of the gateway's own pages calls. A login of another site's would be as bad as a use of the session:
  /// the person would go on in a stranger's account.
  private func guarded(_ act: @escaping @Sendable (PageRequest) async throws -> Output) -> Page {
    Page([.post]) { request in
      if let refusal = SessionGuard.refusal(of: request.head, page: names().page(of: request.head), for: .call) {
        return WebCall.failure(refusal, contract.detailText)
      }
      do {
        return try await act(request)
      } catch {
        let status = SuiteCalls.status(of: error)
        var output = WebCall.failure(status, contract.detailText)
        if Sessions.isOver(status) { output.head?.headerFields[.setCookie] = sessions.cleared }
        return output
      }
    }
  }

  private static func answer(_ json: [UInt8], _ cookies: [String]) -> Output {
    var output = Output.answer(200, "application/json", json, [(.cacheControl, "private, no-store")])
    for cookie in cookies { output.head?.headerFields.append(HTTPField(name: .setCookie, value: cookie)) }
    return output
  }

  private func protobuf(_ json: [UInt8], _ name: String) throws -> [UInt8] {
    guard let message = contract.message(named: name) else { throw Status(.internal, "The contract has no \(name)") }
    guard let turn = BoundedTurn(bytes: json.count) else { throw Status(.internal, "The form is too long") }
    do throws(TranscodingError) {
      return try json.withUnsafeBufferPointer { bytes throws(TranscodingError) in
        try contract.protobuf(fromJSON: bytes, message, in: turn)
      }
    } catch {
      throw Status(.invalidArgument, reason: "MALFORMED_MESSAGE", error.description)
    }
  }

  private func json(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
    guard let message = contract.message(named: name) else { throw Status(.internal, "The contract has no \(name)") }
    guard let turn = BoundedTurn(bytes: bytes.count) else { throw Status(.internal, "The answer is too long") }
    return try bytes.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, message, in: turn) }
  }
}

extension LoginResponse {
  /// Leaves what a page needs to know.
  fileprivate mutating func removeTokens() { (accessToken, refreshToken, deviceToken) = ("", "", "") }
}
