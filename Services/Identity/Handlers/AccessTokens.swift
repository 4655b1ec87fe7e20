import Environment
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
  private let environment: Environment
  private let verifier = TokenVerifier([])
  private let keyring = Mutex(Found())
  private let knowsEndedSessions = Atomic<Bool>(false)
  private let isReady = Atomic<Bool>(false)

  /// What the looks for keys have found.
  private struct Found {
    var keyring: Keyring?
    var begun = 0
    /// The look that found it.
    var used = 0
  }

  /// Knows no key yet.
  package init(environment: Environment) {
    self.environment = environment
  }

  /// `nil` when tokens can be made and checked, else why not; a readiness check.
  package var unhealthyReason: String? {
    isReady.load(ordering: .acquiring) ? nil : "the signing keys and ended sessions have not been looked up yet"
  }

  package func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller {
    guard isReady.load(ordering: .acquiring) else { throw .starting }
    // No service of the suite calls this one yet, so there is no token of a service to accept.
    guard access == .user else { throw .callerNotAService }
    do {
      let claims = try verifier.verify(String(token), at: environment.clock.now)
      return Caller(subject: claims.subject.description, sessionID: claims.session.description)
    } catch {
      throw error.status
    }
  }

  /// A token that lets `userID` call for ten minutes, or until `session` ends ([ID-5]).
  func token(for userID: UserID, session: SessionID) throws -> (text: String, expiresAt: Instant) {
    let now = environment.clock.now
    let claims = AccessClaims(
      subject: userID.uuid, session: session.uuid, tokenID: environment.randomness.uuid7(at: now), issuedAt: now,
      expiresAt: now + Lifetimes.accessToken, scope: TokenRealm.tandem.scope)
    return (try AccessToken.sign(claims, for: .tandem, with: try keys().ring.signing), claims.expiresAt)
  }

  /// The keys that sign and count now.
  ///
  /// - Throws: UNAVAILABLE before they were looked up.
  func keys() throws(Status) -> Keyring {
    guard let keyring = keyring.withLock({ $0.keyring }) else { throw .starting }
    return keyring
  }

  /// The number of a look for keys, which begins now.
  func beginLook() -> Int {
    keyring.withLock { found in
      found.begun += 1
      return found.begun
    }
  }

  /// Signs with and accepts these from now on, unless a look that began later was over sooner; says whether that is a change.
  func use(_ new: Keyring, foundBy look: Int) -> Bool {
    let isChange = keyring.withLock { found in
      guard look > found.used else { return false }
      let known = found.keyring?.published
      (found.keyring, found.used) = (new, look)
      return known != new.published
    }
    if isChange { verifier.replaceKeys(new.ring.verificationKeys) }
    noteReadiness()
    return isChange
  }

  /// Refuses the tokens of `session` from now on.
  func end(_ session: SessionID) {
    verifier.end(session: session.uuid, at: environment.clock.now)
  }

  /// Every session that ended while its tokens may still live is known now.
  func noteEndedSessionsAreKnown() {
    knowsEndedSessions.store(true, ordering: .releasing)
    noteReadiness()
  }

  private func noteReadiness() {
    let hasKeys = keyring.withLock { $0.keyring != nil }
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
