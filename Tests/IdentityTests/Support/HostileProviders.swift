import Base64
import Cryptography
import Foundation
import LoopExecutor
import OutboundHTTP
import TandemIdentity
import TestSupport
import Testing

/// OpenID providers that forge what a test asks for, and a Facebook; see `hostile_provider.py`.
struct HostileProviders {
  private let server: ServerProcess

  static let redirectURIs = ["https://app.example/callback", "com.example.tandem:/callback"]

  /// The requests received.
  struct Request {
    let path: String
    let headers: [String: String]
    let form: [String: String]
  }

  static func with(_ body: (HostileProviders) async throws -> Void) async throws {
    try await ServerProcess.with("hostile_provider.py") {
      [$0, $1]
    } _: {
      try await body(HostileProviders(server: $0))
    }
  }

  /// The settings of a service with logins by the providers of these names, and by Facebook.
  func arguments(_ names: [String] = ["honest", "other"]) throws -> [String] {
    let providers = names.map { name in
      [
        "id": name, "name": name.capitalized, "kind": "openid", "issuer": issuer(name), "client_id": "tandem",
        "client_secret_file": "secret",
      ]
    }
    let facebook = [
      "id": "facebook", "name": "Facebook", "kind": "facebook", "client_id": "42",
      "client_secret_file": "facebook",
      "base_url": "https://localhost:\(server.port)",
    ]
    let file = try JSONSerialization.data(withJSONObject: ["providers": providers + [facebook]])
    try file.write(to: URL(fileURLWithPath: "\(server.folder)/providers.conf"))
    try Data("client secret & more\n".utf8).write(to: URL(fileURLWithPath: "\(server.folder)/secret"))
    try Data("facebook-secret\n".utf8).write(to: URL(fileURLWithPath: "\(server.folder)/facebook"))
    return [
      "--providers", "\(server.folder)/providers.conf", "--provider-ca", server.authority,
      "--provider-redirect-uris", Self.redirectURIs.joined(separator: ","),
    ]
  }

  /// The issuer of a provider.
  func issuer(_ name: String) -> String { "https://localhost:\(server.port)/\(name)" }

  /// Runs `body` with a client that trusts the providers' certificate.
  func withClient(_ body: (OutboundClient) async throws -> Void) async throws {
    let client = try OutboundClient(
      authorities: server.authority, timeout: .seconds(10), on: Self.loops.eventLoops, clock: ManualClock())
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.run() }
      try await body(client)
      group.cancelAll()
    }
  }

  private static let loops = LoopGroup(threads: 1)

  /// Signals an event to every provider: `rotated`, `mended`.
  func happen(_ event: String) throws { try Data().write(to: URL(fileURLWithPath: "\(server.folder)/\(event)")) }

  /// The requests so far whose path ends with the text, in order.
  func requests(_ ending: String) throws -> [Request] {
    try server.files(".json").map { _, text in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      return Request(
        path: try #require(record["path"] as? String), headers: try #require(record["headers"] as? [String: String]),
        form: try #require(record["form"] as? [String: String]))
    }.filter { $0.path.hasSuffix(ending) }
  }

  /// A service whose users can log in by the providers of these names, and the providers.
  static func serve(
    _ names: [String] = ["honest", "other"],
    _ body: @escaping @Sendable (RunningIdentity, HostileProviders) async throws -> Void
  ) async throws {
    try await with { providers in
      try await RunningIdentity.with(
        CheapIdentity.self, try providers.arguments(names)
      ) { identity in try await body(identity, providers) }
    }
  }
}

/// A user of a provider, and what is wrong in the provider's answers.
struct FederatedVisitor: Sendable {
  var subject = "1001"
  var email: String? = "ada@provider.example"
  var isEmailVerified = true
  var forge = ""
  /// Seconds since the provider last authenticated the user; `nil` if it does not say.
  var provedAgo: Int64?

  /// What the provider's page sends the browser back with: the parameters of the redirect.
  func callback(from authorizationURL: String, of identity: RunningIdentity) throws -> Callback {
    let query = AuthorizationQuery(authorizationURL)
    var code: [String: Any] = [
      "sub": subject, "challenge": query["code_challenge"], "nonce": query["nonce"], "forge": forge,
      "at": identity.clock.now.wholeSeconds, "email_verified": isEmailVerified,
    ]
    if let email { code["email"] = email }
    if let provedAgo { code["auth_time"] = identity.clock.now.wholeSeconds - provedAgo }
    let json = try JSONSerialization.data(withJSONObject: code, options: .sortedKeys)
    return Callback(state: query["state"], code: Base64URL.encode(Array(json)))
  }
}

/// The parameters with which a browser returns from a provider.
struct Callback: Sendable {
  var state: String
  var code = ""
  var issuer = ""
  var error = ""

  /// The call that ends a login.
  func completion(of start: StartFederatedLoginResponse, label: String = "") -> CompleteFederatedLoginRequest {
    CompleteFederatedLoginRequest(
      state: state, code: code, issuer: issuer, error: error, handle: start.handle, deviceLabel: label)
  }

  /// The call that ends a link.
  var link: CompleteIdentityLinkRequest {
    CompleteIdentityLinkRequest(state: state, code: code, issuer: issuer, error: error)
  }
}

/// The parameters of a URL.
struct AuthorizationQuery {
  let page: String
  let parameters: [String: String]

  init(_ url: String) {
    let parts = URLComponents(string: url)
    page = String(url.prefix { $0 != "?" })
    parameters = Dictionary(
      (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  subscript(_ name: String) -> String { parameters[name] ?? "" }
}

extension RunningIdentity {
  var federated: FederatedLoginsClient { FederatedLoginsClient(client) }

  /// Begins a login.
  func begin(_ provider: String = "honest") async throws -> StartFederatedLoginResponse {
    try await federated.startFederatedLogin(StartFederatedLoginRequest(providerID: provider))
  }

  /// Goes to a provider as `visitor` and comes back.
  func visit(_ visitor: FederatedVisitor = .init(), at provider: String = "honest") async throws -> LoginResponse {
    let start = try await begin(provider)
    let callback = try visitor.callback(from: start.authorizationURL, of: self)
    return try await federated.completeFederatedLogin(callback.completion(of: start))
  }

  /// A ticket of a visitor without an account, and the handle that it is used with.
  func ticket(
    _ visitor: FederatedVisitor = .init(), at provider: String = "honest"
  ) async throws -> (ticket: String, handle: String) {
    let start = try await begin(provider)
    let callback = try visitor.callback(from: start.authorizationURL, of: self)
    let refused = try await refusal { try await federated.completeFederatedLogin(callback.completion(of: start)) }
    return (try #require(refused.errorInfo?.metadata["ticket"], "\(refused)"), start.handle)
  }

  /// Links a visitor's identity to the account of a logged-in user, with a ticket.
  @discardableResult
  func linked(_ visitor: FederatedVisitor = .init(), to login: LoginResponse) async throws -> LinkedIdentity {
    let (ticket, handle) = try await ticket(visitor)
    return try await federated.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle), .user(login))
  }
}
