import Cryptography
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC

extension Accounts {
  /// The account whose password this is.
  ///
  /// A wrong one is counted, and what is held off is refused before any work is done. Work and answer are the same whether or not there is such
  /// an account ([ID-5], [ID-10]). What is done for a right password tells `guess` so in its transaction.
  ///
  /// - Parameters:
  ///   - password: `nil` for a text that nobody can have chosen.
  ///   - found: `nil` for a name that nobody has.
  ///   - refusal: what is thrown for a wrong password.
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
        ReplacePasswordHash(of: found.userID, old: old, new: hash.description))
    }
    return found
  }

  /// Counts and notes a wrong password, for a name that nobody has with the same work.
  private func noteFailure(_ guess: PasswordAttempt, at account: UserID?, by context: CallContext) async throws {
    try await database.repeatableTransaction { tx in
      // First the account is held, then the throttles are, as by everybody who locks both.
      try await log.note(.passwordWrong, of: account, by: context, in: tx)
      let locked = try await throttles.count(guess.keys, in: tx)
      if locked.contains(.loginName) { try await log.note(.locked, of: account, by: context, in: tx) }
    }
  }
}
