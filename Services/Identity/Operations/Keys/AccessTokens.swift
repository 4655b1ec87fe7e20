import Environment
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import Synchronization
import TTRPC
import UserTokens

/// Issues access tokens and authenticates callers by them, from memory alone ([C-1], [ID-5], [ID-7]).
///
/// ``SigningKeyring`` supplies the keys and ``EndedSessions`` the sessions that ended. Until both have completed their
/// first lookup, calls fail with UNAVAILABLE.
package final class AccessTokens: Authenticator {
  private let environment: Environment
  private let verifier = TokenVerifier([])
  private let keyring = Mutex(Found())
  private let knowsEndedSessions = Atomic<Bool>(false)
  private let isReady = Atomic<Bool>(false)

  /// The result of the last key lookup.
  private struct Found {
    var keyring: Keyring?
    var begun = 0
    /// The number of the lookup that found the keyring.
    var used = 0
  }

  package init(environment: Environment) {
    self.environment = environment
  }

  /// Why tokens cannot be issued or checked, for a readiness check; `nil` when they can.
  package var unhealthyReason: String? {
    isReady.load(ordering: .acquiring) ? nil : "the signing keys and ended sessions have not been looked up yet"
  }

  package func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller {
    guard isReady.load(ordering: .acquiring) else { throw .starting }
    // No service calls this one with a token yet, so service tokens are not accepted.
    guard access == .user else { throw .callerNotAService }
    do {
      let claims = try verifier.verify(String(token), at: environment.clock.now)
      return Caller(subject: claims.subject.description, sessionID: claims.session.description)
    } catch {
      throw error.status
    }
  }

  /// Issues a token with which `userID` can call for ten minutes, at most until `session` ends ([ID-5]).
  package func token(for userID: UserID, session: SessionID) throws -> (text: String, expiresAt: Instant) {
    let now = environment.clock.now
    let claims = AccessClaims(
      subject: userID.uuid, session: session.uuid, tokenID: environment.randomness.uuid7(at: now), issuedAt: now,
      expiresAt: now + Lifetimes.accessToken, scope: TokenRealm.tandem.scope)
    return (try AccessToken.sign(claims, for: .tandem, with: try keys().ring.signing), claims.expiresAt)
  }

  /// The current keys.
  ///
  /// - Throws: `IdentityFailure.starting` before the first lookup.
  package func keys() throws(IdentityFailure) -> Keyring {
    guard let keyring = keyring.withLock({ $0.keyring }) else { throw .starting }
    return keyring
  }

  /// Starts a key lookup and returns its number.
  package func beginLook() -> Int {
    keyring.withLock { found in
      found.begun += 1
      return found.begun
    }
  }

  /// Signs with and accepts `new` from now on, unless a lookup that began later has finished already. Returns whether
  /// the published keys changed.
  package func use(_ new: Keyring, foundBy look: Int) -> Bool {
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
  package func end(_ session: SessionID) {
    verifier.end(session: session.uuid, at: environment.clock.now)
  }

  /// Called once every ended session whose tokens may still be valid is known.
  package func noteEndedSessionsAreKnown() {
    knowsEndedSessions.store(true, ordering: .releasing)
    noteReadiness()
  }

  private func noteReadiness() {
    let hasKeys = keyring.withLock { $0.keyring != nil }
    if hasKeys, knowsEndedSessions.load(ordering: .acquiring) { isReady.store(true, ordering: .releasing) }
  }
}

/// The keys of access tokens, with what is published about them.
package struct Keyring: Sendable {
  let ring: KeyRing
  package let published: [PublishedKey]
}

/// A key as published to verifiers.
package struct PublishedKey: Sendable, Equatable {
  package let id: String
  package let publicKey: [UInt8]
  package let signsFrom: Instant
  /// `nil` while no successor exists.
  package let worksUntil: Instant?
}

extension Status {
  package static let starting = Status.unavailable("The service is starting")

  fileprivate static let callerNotAService = Status(
    .permissionDenied, reason: "SERVICE_TOKEN_REQUIRED", "Only services of the suite may call this method")
}
