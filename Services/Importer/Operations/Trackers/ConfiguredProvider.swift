import OAuth2
import OutboundHTTP
import ProviderAdapters

/// A provider that users can connect, with the registration of this deployment at it ([IM-6]).
package struct ConfiguredProvider: Sendable {
  package let adapter: any ProviderAdapter
  package let endpoints: ProviderEndpoints
  let client: ClientRegistration
  /// What is requested of users.
  let scopes: [String]
  /// What the provider's calls of the webhook prove themselves by; `nil` without a webhook.
  package let webhookSecret: String?

  package var id: String { adapter.id }
  package var name: String { adapter.name }

  package init(
    _ adapter: any ProviderAdapter, endpoints: ProviderEndpoints, client: ClientRegistration, scopes: [String]?,
    webhookSecret: String?
  ) {
    self.adapter = adapter
    self.endpoints = endpoints
    self.client = client
    let usual = adapter.streams.compactMap { $0.scopes.sorted().last }
    var seen: Set<String> = []
    self.scopes = scopes ?? usual.filter { seen.insert($0).inserted }
    self.webhookSecret = webhookSecret
  }

  /// Where users consent and tokens are issued.
  var server: AuthorizationServer {
    AuthorizationServer(
      issuer: Self.origin(of: endpoints.authorization), authorizationEndpoint: endpoints.authorization,
      tokenEndpoint: endpoints.token)
  }

  /// The server as the one that names itself `issuer` in its answer (RFC 9207). By which URL it does is in no settings, so
  /// any of the origin where users consent is its own, and no other is.
  func server(naming issuer: String) -> AuthorizationServer {
    let own = Self.origin(of: endpoints.authorization)
    return AuthorizationServer(
      issuer: Self.origin(of: issuer) == own ? issuer : own, authorizationEndpoint: endpoints.authorization,
      tokenEndpoint: endpoints.token)
  }

  /// Scheme, host and port of a URL.
  private static func origin(of url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/")
  }

  /// The URL to send the browser to.
  func authorizationURL(_ secrets: AttemptSecrets, redirectURI: String) -> String {
    let terms = adapter.authorization
    var url = server.authorizationURL(
      for: client, secrets, scope: [scopes.joined(separator: terms.scopeSeparator)], redirectURI: redirectURI)
    for (name, value) in terms.additions.sorted(by: { $0.key < $1.key }) {
      url += "&\(FormFields.escaped(name))=\(FormFields.escaped(value))"
    }
    return url
  }

  /// The scopes that a server reports as granted, separated by spaces or commas; those that were requested if it reports none.
  func granted(_ reported: String...) -> [String] {
    let named = reported.first { !$0.isEmpty }?.split { $0 == " " || $0 == "," }.map { String($0) } ?? scopes
    return Array(named.prefix(Self.maxScopes)).filter {
      $0.utf8.count <= Self.maxScopeLength && !$0.utf8.contains(0)
    }
  }

  private static let maxScopes = 50
  private static let maxScopeLength = 200

  /// What may be imported with these scopes, and the kinds of which nothing may ([IM-9]).
  package func allowed(by scopes: [String]) -> (streams: [DataStream], missing: [DataKind]) {
    let streams = adapter.streams.filter { !$0.scopes.isDisjoint(with: scopes) }
    let missing = adapter.kinds.filter { kind in !streams.contains { $0.kind == kind } }
    return (streams, missing)
  }
}

extension ProviderAdapter {
  /// The kinds of data that there are streams of, in order.
  package var kinds: [DataKind] {
    var seen: Set<DataKind> = []
    return streams.map(\.kind).filter { seen.insert($0).inserted }
  }
}
