import Base64
import Environment
import Cryptography
import Identifiers
import IdentityDomain
import IdentityFederation

/// Issues tickets to users who are authenticated by a provider and have no account yet ([ID-12]).
///
/// A ticket seals the user's identity, so nothing is stored about a user who never comes back. It is valid only
/// together with the handle of its attempt, so a stranger who reads it in a log or on a screen cannot link the identity
/// to an account.
struct IdentityTickets: Sendable {
  let seal: Seal
  let clock: any WallClock

  private struct Contents: Codable {
    let issuer: String
    let subject: String
    let email: String?
    let emailVerified: Bool
    /// Microseconds since 1970; `nil` if the provider does not say.
    let provedAt: Int64?
    /// Microseconds since 1970.
    let issuedAt: Int64
  }

  /// In characters; a longer text is not a ticket.
  private static let maxLength = 8_192

  /// A ticket for `user`, valid together with the secret that has this hash.
  func ticket(for user: FederatedUser, handleHash: [UInt8]) throws -> String {
    let contents = Contents(
      issuer: user.issuer, subject: user.subject, email: user.email?.spelling,
      emailVerified: user.isEmailVerified, provedAt: user.provedAt?.microseconds, issuedAt: clock.now.microseconds)
    return Base64URL.encode(try seal.seal(try StrictJSON.encode(contents), associated: Self.place(handleHash)))
  }

  /// The user in a ticket; `nil` when it is invalid, belongs to another handle, or has expired.
  func user(of ticket: String, handle: String) -> FederatedUser? {
    guard ticket.utf8.count <= Self.maxLength, let sealed = Base64URL.decode(ticket),
      let hash = SecretToken(handle)?.hash, let opened = opened(sealed, hash),
      let contents = StrictJSON.decode(Contents.self, opened)
    else { return nil }
    let age = clock.now - Instant(microseconds: contents.issuedAt)
    guard (.zero..<Lifetimes.identityTicket).contains(age) else { return nil }
    return FederatedUser(
      issuer: contents.issuer, subject: contents.subject, email: contents.email.flatMap { EmailAddress($0) },
      isEmailVerified: contents.emailVerified,
      provedAt: contents.provedAt.map { Instant(microseconds: $0) })
  }

  private func opened(_ sealed: [UInt8], _ handleHash: [UInt8]) -> [UInt8]? {
    // The text comes from a stranger; any error means that it is not a ticket.
    do { return try seal.open(sealed, associated: Self.place(handleHash)) } catch { return nil }
  }

  private static func place(_ handleHash: [UInt8]) -> [UInt8] { Array("identity ticket".utf8) + handleHash }
}
