import AccountDeletions
import Blocks
import Events
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TandemEvents
import TandemIdentity
import Timestamps
import Usernames

extension EventSubscription {
  /// Stores usernames, genders and levels, and closes the sessions of users who delete their accounts ([C-9]).
  package static func users(_ operations: SessionOperations) -> EventSubscription {
    let deletions = EventSubscription.accountDeletions(MatchingSchema.removals)
    let profiles = EventHandler(batchesOf: ProfileChanged.self) { events, tx in
      let last = Dictionary(try events.map { try ReportedProfile($0) }.map { ($0.user, $0) }) { $1 }
      let some = Array(last.values)
      try await tx.execute(
        PutProfiles(
          userIDs: some.map(\.user), genders: some.map(\.gender), levels: some.map(\.level),
          times: some.map(\.time)))
    }
    let subscription = EventSubscription(
      of: "identity", handlers: deletions.handlers + [profiles],
      preparation: { events, tx in
        // The job's row is locked before those of users, as by the job itself.
        if events.contains(where: { $0.type == AccountDeleted.protobufName }) {
          try await operations.scheduleCleanup(tx)
        }
      },
      resyncRestoresAll: true,
      resync: { source in
        guard let resync = deletions.resync else { return { _ in } }
        let store = try await resync(source)
        return { tx in
          try await operations.scheduleCleanup(tx)
          try await store(tx)
          // Profiles are looked up again when a call needs them; jobs go on with what was known.
          try await operations.scheduleForgetting(tx)
        }
      })
    return subscription.keepingUsernames()
  }

  /// Stores blocks, and parts users who would train together ([C-10]).
  package static func blocks(_ operations: SessionOperations) -> EventSubscription {
    let plan = EventSubscription.blocks(resynced: { tx in try await operations.scheduleParting(tx) })
    return EventSubscription(
      of: plan.producer, name: plan.name, beginning: plan.beginning, handlers: plan.handlers,
      preparation: { events, tx in
        let blocked = events.filter { $0.type == UserBlocked.protobufName }
        // The jobs' rows are locked before those of users, as by the jobs themselves.
        try await operations.scheduleParting(try blocked.map { try Parting(ReceivedEvent($0)) }, tx)
        try await plan.preparation?(events, tx)
      },
      resyncRestoresAll: plan.resyncRestoresAll, resync: plan.resync)
  }
}

extension Parting {
  /// - Throws: when an id or the time is invalid.
  package init(_ event: ReceivedEvent<UserBlocked>) throws {
    let message = event.message
    guard let blocker = UserID(message.blockerUserID), let blocked = UserID(message.blockedUserID) else {
      throw MalformedBlock()
    }
    let time = try message.blockTime.map { try Instant(wire: $0) } ?? event.occurredAt
    self.init(of: blocked, by: blocker, message.reported ? .excused(at: time) : .bars(from: time))
  }

  private struct MalformedBlock: Error {}
}

/// A profile from an event of identity.
package struct ReportedProfile: Sendable {
  let user: UserID
  let gender: MatchingDomain.Gender
  let level: MatchingDomain.Level
  let time: Instant

  /// - Throws: when the user's id, the gender, the level or the time is invalid.
  package init(_ event: ReceivedEvent<ProfileChanged>) throws {
    let message = event.message
    guard let user = UserID(message.userID),
      let gender = MatchingDomain.Gender(TandemIdentity.Gender(rawValue: message.gender)),
      let level = MatchingDomain.Level(TandemIdentity.Level(rawValue: message.level))
    else { throw MalformedProfile() }
    (self.user, self.gender, self.level) = (user, gender, level)
    time = try message.updateTime.map { try Instant(wire: $0) } ?? event.occurredAt
  }

  private struct MalformedProfile: Error {}
}
