import Cryptography
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC

extension Accounts {
  /// Checks a password and returns its account.
  ///
  /// A wrong password is counted, and a throttled attempt is refused before any work is done. Work and response are the
  /// same whether or not the account exists ([ID-5], [ID-10]). The transaction that uses a right password must call
  /// `guess.succeed`.
  ///
  /// - Parameters:
  ///   - password: `nil` for a text that cannot be a password.
  ///   - found: `nil` for an unknown name.
  ///   - refusal: thrown for a wrong password.
  func check(
    _ password: Password?, of found: Credentials?, _ guess: PasswordAttempt, by context: CallContext,
    orThrow refusal: Status
  ) async throws -> Credentials {
    try await throttles.requireRoom(guess.keys)
    let stored = password == nil ? nil : found?.passwordHash.flatMap { PasswordHash($0) }
    let verdict = try await passwords.verify(
      password?.bytes ?? [], against: stored, of: guess.subject, for: context.clientNetwork)
    guard let found, let password, verdict.matches else {
      try await noteFailure(guess, at: found?.userID, by: context)
      throw refusal
    }
    if verdict.needsRehash, let old = found.passwordHash {
      let hash = try await passwords.hash(password.bytes, of: context.clientNetwork)
      try await database.write(
        ReplacePasswordHash(newHash: hash.description, userID: found.userID, oldHash: old))
    }
    return found
  }

  /// Counts and records a wrong password, with the same work for an unknown name.
  private func noteFailure(_ guess: PasswordAttempt, at account: UserID?, by context: CallContext) async throws {
    try await database.repeatableTransaction { tx in
      // The account is locked before the throttles, as wherever both are locked.
      try await log.note(.passwordWrong, of: account, by: context.origin, in: tx)
      let locked = try await throttles.count(guess.keys, in: tx)
      if !locked.isDisjoint(with: [.loginName, .loginDevice]) {
        try await log.note(.locked, of: account, by: context.origin, in: tx)
      }
    }
  }
}
