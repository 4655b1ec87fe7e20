import Cryptography

/// The discovery document of an OpenID provider (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable {
  private struct Members: Decodable {
    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let jwksURI: String
    let namesItself: Bool?

    enum CodingKeys: String, CodingKey {
      case issuer
      case authorizationEndpoint = "authorization_endpoint"
      case tokenEndpoint = "token_endpoint"
      case jwksURI = "jwks_uri"
      case namesItself = "authorization_response_iss_parameter_supported"
    }
  }

  let server: AuthorizationServer
  /// The URL of the key set.
  let keysURL: String

  /// Reads the document of `issuer`.
  ///
  /// - Throws: `answer` for one of another provider, or with a URL without TLS.
  init(_ bytes: [UInt8], of issuer: String) throws(OAuth2Failure) {
    guard let members = StrictJSON.decode(Members.self, bytes), members.issuer == issuer,
      [members.authorizationEndpoint, members.tokenEndpoint, members.jwksURI].allSatisfy(Self.isSecure)
    else { throw .untrusted(.answer) }
    server = AuthorizationServer(
      issuer: issuer, authorizationEndpoint: members.authorizationEndpoint, tokenEndpoint: members.tokenEndpoint,
      namesItself: members.namesItself ?? false)
    keysURL = members.jwksURI
  }

  /// Bytes; longer URLs are refused.
  private static let maxURLLength = 2_000

  private static func isSecure(_ url: String) -> Bool {
    url.hasPrefix("https://") && url.utf8.count <= maxURLLength && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !url.contains("#")
  }
}
