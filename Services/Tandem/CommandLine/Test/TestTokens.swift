import Cryptography
import Environment
import Identifiers
import Postgres

/// Makes access tokens of a suite's users with the key that identity signs with.
struct TestTokens: Sendable {
  /// As long as those of identity last ([ID-5]).
  static let lifetime = Duration.seconds(600)

  private let key: SigningKey

  /// Reads the oldest key: it is published for as long as it is there.
  init(databaseURL: String, secrets: String) async throws {
    let rows = try await Administration.session(databaseURL) { session in
      try session.run(
        "select id, encode(sealed_private_key, 'hex') from identity.signing_keys order by created_at limit 1")
    }
    guard let id = rows.first?[0], let sealed = rows.first?[1].flatMap(Self.bytes),
      let line = Files.text("\(secrets)/identity_seal_key")?.split(separator: "\n").first,
      let sealKey = SealKey(line: line)
    else { throw Complaint("identity has no key for tokens yet") }
    key = try SigningKey(seed: try Seal(current: sealKey).open(sealed, associated: Array(id.utf8)))
  }

  /// A token of the user's session that was issued at `issuedAt`.
  func token(of user: TestUser, issuedAt: Instant) throws -> String {
    guard let subject = UUID7(user.id), let session = UUID7(user.sessionID) else {
      throw Complaint("\(user.username) has no session")
    }
    let claims = AccessClaims(
      subject: subject, session: session, tokenID: SystemRandomness().uuid7(at: issuedAt), issuedAt: issuedAt,
      expiresAt: issuedAt + Self.lifetime, scope: TokenRealm.tandem.scope)
    return try AccessToken.sign(claims, for: .tandem, with: key)
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8]? {
    var (bytes, rest): ([UInt8], Substring) = ([], hexadecimal[...])
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
