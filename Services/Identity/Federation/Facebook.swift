import Cryptography
import IdentityDomain
import OAuth2
import OutboundHTTP
import Base64

/// Facebook: OAuth 2.0, with the user's identity from the Graph API.
package struct Facebook: Sendable {
  /// The version of the Graph API; each is supported for about two years.
  package static let version = "v26.0"
  package static let scope = ["email", "public_profile"]

  /// The authorization and token endpoints.
  let server: AuthorizationServer
  private let profileURL: String

  /// In bytes.
  private static let maxAnswerLength = 16_384

  /// - Parameter stand: the base URL of a stand-in for Facebook, `https://…` without a path; `nil` for Facebook itself.
  package init(standIn stand: String? = nil) {
    let (pages, graph) = (stand ?? "https://www.facebook.com", stand ?? "https://graph.facebook.com")
    server = AuthorizationServer(
      issuer: "https://www.facebook.com", authorizationEndpoint: "\(pages)/\(Self.version)/dialog/oauth",
      tokenEndpoint: "\(graph)/\(Self.version)/oauth/access_token")
    profileURL = "\(graph)/\(Self.version)/me"
  }

  private struct Profile: Decodable {
    let id: String
    let email: String?
  }

  /// The user that the tokens belong to. Facebook does not say whether it has verified the address.
  func user(
    of tokens: TokenAnswer, as client: ClientRegistration, through outbound: OutboundClient
  ) async throws(OAuth2Failure) -> FederatedUser {
    var query = FormFields(["fields": "id,email"])
    if let secret = client.secret {
      // Proves that the request comes from the app that the token was issued to, so that a stolen token is useless.
      let proof = Digest.hmacSHA256(tokens.accessToken.utf8, key: Array(secret.text.utf8))
      query.append("appsecret_proof", proof.hexadecimal)
    }
    let answer = try await outbound.answer(
      to: OutboundRequest(
        "\(profileURL)?\(query.encoded)", headers: [("authorization", "Bearer \(tokens.accessToken)")],
        maxAnswerLength: Self.maxAnswerLength))
    guard answer.status == 200 else { throw .refused(code: "\(answer.status)") }
    guard let profile = StrictJSON.decode(Profile.self, answer.body), (1...255).contains(profile.id.utf8.count),
      profile.id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .untrusted(.answer) }
    return FederatedUser(
      issuer: server.issuer, subject: profile.id, email: profile.email.flatMap { EmailAddress($0) },
      isEmailVerified: false)
  }
}
