import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension Accounts {
  /// Gives the caller another username, and keeps the old one for them ([ID-22]).
  package func changeUsername(
    _ call: ChangeUsernameRequest, _ context: CallContext
  ) async throws -> ChangeUsernameResponse {
    let account = try context.accountID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("username", Username(call.username), Username.refusal, "USERNAME_INVALID")
    let wanted = try bad.all(named)
    return try await replays.once(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
      // In the order of all who change both: the profile, the account.
      _ = try await tx.first(LockedProfile(of: account))
      guard let person = try await tx.rows(LockPeople([account])).first else { throw Status.notAUser }
      let change = UsernameChange.of(person.username, to: wanted)
      if change != .nothing {
        try await throttles.count([.person(account, .usernameChange)], in: tx)
        try await take(wanted, for: account, in: tx)
        try await log.note(.usernameChanged, of: account, by: context, in: tx)
      }
      let reservedUntil = change == .replacement ? ambient.clock.now + Lifetimes.reservedUsername : nil
      if let reservedUntil {
        try await tx.execute(ReserveUsername(person.username, for: account, until: reservedUntil))
      }
      return ChangeUsernameResponse(
        username: wanted.spelling, previousUsername: person.username,
        reservationExpireTime: reservedUntil?.timestamp)
    }
  }

  private func take(_ username: Username, for account: AccountID, in tx: Transaction) async throws {
    let now = ambient.clock.now
    // Asked first, for whoever writes a name that is taken may wait for its owner, who may wait for them.
    guard try await tx.first(UsernameIsTaken(username, for: account, now: now)) == false else {
      throw Status.taken(email: false, username: true)
    }
    try await tx.execute(FreeLapsedUsername(username, now: now))
    do { try await tx.execute(ReplaceUsername(of: account, by: username, now: now)) } catch let error as PostgresError
      where UsernameConstraints.areBroken(by: error)
    {
      throw Status.taken(email: false, username: true)
    }
    try await events.publish(AccountNamed(userID: account.description, username: username.spelling), in: tx)
  }
}
