import OAuth2
import OutboundHTTP
import TestSupport
import Testing

@Suite("the OAuth 2.0 client", .ownThreads, .timeLimit(.minutes(5)))
struct OAuth2ClientTests {
  /// The token endpoint of a provider, asked by a client with a secret.
  private static func endpoint(
    _ providers: HostileProviders, _ client: OutboundClient,
    _ authentication: ClientRegistration.Authentication = .basic
  ) -> TokenEndpoint {
    let issuer = providers.issuer("honest")
    let server = AuthorizationServer(
      issuer: issuer, authorizationEndpoint: "\(issuer)/authorize", tokenEndpoint: "\(issuer)/token")
    let registration = ClientRegistration(
      id: "client:1", secret: ClientSecret("a b&c"), authentication: authentication)
    return TokenEndpoint(of: server, as: registration, through: client)
  }

  @Test("a refresh token gives new tokens, and the client proves itself as it is registered")
  func refreshes() async throws {
    try await HostileProviders.with { providers in
      try await providers.withClient { client in
        for authentication in ClientRegistration.Authentication.allCases {
          let tokens = try await Self.endpoint(providers, client, authentication).tokens(forRefreshToken: "good")
          #expect(tokens.accessToken == "at-2" && tokens.refreshToken == "rt-2" && tokens.scope == "steps sleep")
          #expect(tokens.lifetime == .seconds(60) && "\(tokens)" == "TokenAnswer(redacted)")
        }
        let asked = try providers.requests("/token")
        #expect(asked.map { $0.form["grant_type"] } == Array(repeating: "refresh_token", count: 3))
        // Both parts encoded as in a form: client%3A1:a%20b%26c.
        #expect(asked.map { $0.headers["authorization"] } == ["Basic Y2xpZW50JTNBMTphJTIwYiUyNmM=", nil, nil])
        #expect(asked.map { $0.form["client_id"] } == [nil, "client:1", "client:1"])
        #expect(asked.map { $0.form["client_secret"] } == [nil, "a b&c", nil])
      }
    }
  }

  @Test("what a token endpoint refuses tells what to do: wait, ask the person again, or the operator")
  func refusals() async throws {
    try await HostileProviders.with { providers in
      try await providers.withClient { client in
        let endpoint = Self.endpoint(providers, client)
        let failures: KeyValuePairs<String, OAuth2Failure> = [
          "revoked": .grantRefused, "foreign": .refused(code: "invalid_client"),
          "busy": .temporary(reason: "the server answered 503", retryAfter: .seconds(11)),
          // What a stranger writes does not reach a terminal as it is.
          "shouted": .refused(code: "no31m" + String(repeating: "x", count: 56)),
        ]
        for (token, failure) in failures {
          await #expect(throws: failure) { try await endpoint.tokens(forRefreshToken: token) }
        }
      }
    }
  }

  @Test("a server without TLS is not spoken to, and one that is away is so for a while")
  func unreachable() async throws {
    try await HostileProviders.with { providers in
      try await providers.withClient { client in
        let urls = [providers.issuer("honest").replacing("https", with: "http"), "https://localhost:1/"]
        for url in urls {
          await #expect(throws: OutboundFailure.self) {
            try await client.send(OutboundRequest(url, maxAnswerLength: 1_000))
          }
        }
        let asked = try providers.requests("/honest")
        #expect(asked.isEmpty)
      }
    }
  }
}
