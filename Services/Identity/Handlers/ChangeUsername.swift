import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps

extension Accounts {
  /// Changes the caller's username, and reserves the old one for them ([ID-22]).
  package func changeUsername(
    _ call: ChangeUsernameRequest, _ context: CallContext
  ) async throws -> ChangeUsernameResponse {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("username", Username(call.username), Username.refusal, IdentityReason.usernameInvalid)
    let wanted = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      // Lock order of every change of both: profile, account.
      _ = try await tx.first(LockProfile(userID: account))
      guard let user = try await tx.rows(LockUsers(userIDs: [account])).first else { throw Status.notAUser }
      let change = UsernameChange.of(user.username, to: wanted)
      // An account that has such a name from before keeps it, and may spell it otherwise.
      if change == .replacement {
        var bad = Violations()
        bad.refuse(wanted, reservedBy: reservedUsernames)
        try bad.check()
      }
      if change != .nothing {
        try await throttles.count([.user(account, .usernameChange)], in: tx)
        try await take(wanted, for: account, in: tx)
        try await log.note(.usernameChanged, of: account, by: context.origin, in: tx)
        try await securityMail.send(.usernameChanged, to: account, by: context.origin, about: wanted.spelling, in: tx)
      }
      let reservedUntil = change == .replacement ? environment.clock.now + Lifetimes.reservedUsername : nil
      if let reservedUntil {
        try await tx.execute(
          ReserveUsername(usernameKey: user.username.lowercased(), userID: account, expiresAt: reservedUntil))
      }
      return ChangeUsernameResponse(
        username: wanted.spelling, previousUsername: user.username,
        reservationExpireTime: reservedUntil?.timestamp)
    }
  }

  private func take(_ username: Username, for account: UserID, in tx: Transaction) async throws {
    let now = environment.clock.now
    // Checked before the update: writing a taken name would wait for its owner's transaction, which may wait for this
    // one.
    guard try await tx.first(UsernameIsTaken(username: username, userID: account, now: now)) == false else {
      throw NamesTaken(email: false, username: true)
    }
    try await tx.execute(FreeLapsedUsername(username: username, now: now))
    do {
      try await tx.execute(ReplaceUsername(userID: account, username: username, now: now))
    } catch let error as PostgresError where UsernameConstraints.areBroken(by: error) {
      throw NamesTaken(email: false, username: true)
    }
    try await events.publish(AccountNamed(userID: account.description, username: username.spelling), in: tx)
  }
}
