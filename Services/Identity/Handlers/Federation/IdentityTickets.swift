import Base64
import Environment
import Cryptography
import Identifiers
import IdentityDomain
import IdentityFederation

/// Gives users whom a provider knows, and no account yet, something to come back with ([ID-12]).
///
/// A ticket is sealed and says who the user is; nothing is stored of somebody who never comes back. It works with the handle alone of the
/// attempt that it came from, so whoever sees it in a log or over a shoulder cannot link the identity to an account of theirs.
struct IdentityTickets: Sendable {
  let seal: Seal
  let clock: any WallClock

  private struct Contents: Codable {
    let issuer: String
    let subject: String
    let email: String?
    let emailVerified: Bool
    /// Microseconds since 1970; `nil` where the provider does not say.
    let provedAt: Int64?
    /// Microseconds since 1970.
    let issuedAt: Int64
  }

  /// Characters; longer texts are none of ours.
  private static let longest = 8_192

  /// A ticket for `user`, for whoever has the secret with this hash.
  func ticket(for user: FederatedUser, handleHash: [UInt8]) throws -> String {
    let contents = Contents(
      issuer: user.issuer, subject: user.subject, email: user.email?.spelling,
      emailVerified: user.isEmailVerified, provedAt: user.provedAt?.microseconds, issuedAt: clock.now.microseconds)
    return Base64URL.encode(try seal.seal(try StrictJSON.encode(contents), associated: Self.place(handleHash)))
  }

  /// Whom a ticket is for; `nil` when it is none, or not this handle's, or its time is over.
  func user(of ticket: String, handle: String) -> FederatedUser? {
    guard ticket.utf8.count <= Self.longest, let sealed = Base64URL.decode(ticket),
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
    // Whatever is wrong with what a stranger sends, it is no ticket.
    do { return try seal.open(sealed, associated: Self.place(handleHash)) } catch { return nil }
  }

  private static func place(_ handleHash: [UInt8]) -> [UInt8] { Array("identity ticket".utf8) + handleHash }
}
