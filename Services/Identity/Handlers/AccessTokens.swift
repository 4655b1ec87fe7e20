import Ambient
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import Synchronization
import TTRPC
import UserTokens

/// Makes access tokens and knows callers by them, from memory alone ([C-1], [ID-5], [ID-7]).
///
/// ``SigningKeyring`` gives it keys and ``EndedSessions`` the sessions that ended; until both have looked once, it answers UNAVAILABLE.
package final class AccessTokens: Authenticator {
  private let ambient: Ambient
  private let verifier = TokenVerifier([])
  private let keyring = Mutex<Keyring?>(nil)
  private let knowsEndedSessions = Atomic<Bool>(false)
  private let isReady = Atomic<Bool>(false)

  /// Knows no key yet.
  package init(ambient: Ambient) {
    self.ambient = ambient
  }

  /// `nil` when tokens can be made and checked, else why not; a readiness check.
  package var complaint: String? {
    isReady.load(ordering: .acquiring) ? nil : "the signing keys and ended sessions have not been looked up yet"
  }

  package func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller {
    guard isReady.load(ordering: .acquiring) else { throw .starting }
    // No service of the suite calls this one yet, so there is no token of a service to accept.
    guard access == .user else { throw .callerNotAService }
    do {
      let claims = try verifier.verify(String(token), at: ambient.clock.now)
      return Caller(subject: claims.subject.description, sessionID: claims.session.description)
    } catch {
      throw error.status
    }
  }

  /// A token that lets `accountID` call for ten minutes, or until `session` ends ([ID-5]).
  func token(for accountID: AccountID, session: SessionID) throws -> (text: String, expiresAt: Instant) {
    let now = ambient.clock.now
    let claims = AccessClaims(
      subject: accountID.uuid, session: session.uuid, tokenID: ambient.randomness.uuid7(at: now), issuedAt: now,
      expiresAt: now + Lifetimes.accessToken, scope: TokenRealm.tandem.scope)
    return (try AccessToken.sign(claims, for: .tandem, with: try keys().ring.signing), claims.expiresAt)
  }

  /// The keys that sign and count now.
  ///
  /// - Throws: UNAVAILABLE before they were looked up.
  func keys() throws(Status) -> Keyring {
    guard let keyring = keyring.withLock({ $0 }) else { throw .starting }
    return keyring
  }

  /// Signs with and accepts these from now on; says whether that is a change.
  func use(_ new: Keyring) -> Bool {
    let isChange = keyring.withLock { keyring in
      let known = keyring?.published
      keyring = new
      return known != new.published
    }
    if isChange { verifier.replaceKeys(new.ring.verificationKeys) }
    noteReadiness()
    return isChange
  }

  /// Refuses the tokens of `session` from now on.
  func end(_ session: SessionID) {
    verifier.end(session: session.uuid, at: ambient.clock.now)
  }

  /// Every session that ended while its tokens may still live is known now.
  func noteEndedSessionsAreKnown() {
    knowsEndedSessions.store(true, ordering: .releasing)
    noteReadiness()
  }

  private func noteReadiness() {
    let hasKeys = keyring.withLock { $0 != nil }
    if hasKeys, knowsEndedSessions.load(ordering: .acquiring) { isReady.store(true, ordering: .releasing) }
  }
}

/// The keys of access tokens, with what verifiers are told of them.
struct Keyring: Sendable {
  let ring: KeyRing
  let published: [PublishedKey]
}

/// A key that verifiers may meet.
struct PublishedKey: Sendable, Equatable {
  let id: String
  let publicKey: [UInt8]
  let signsFrom: Instant
  /// `nil` while no other key is to take over.
  let worksUntil: Instant?
}
