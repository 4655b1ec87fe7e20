// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Postgres
import Usernames

extension MatchingSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    EventsSchema.eventsUpkeep(version: 5),
    AccountDeletionsSchema.users(version: 6),
    BlocksSchema.blocks(version: 7),
    Migration(version: 8, name: "sessions", bytes: PackageResources.V0002_sessions_sql),
  ]

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      BlocksSchema.statements,
      UsernamesSchema.statements,
      AccountDeletionsSchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    ImposeBar.self,
    BarsOfUser.self,
    BarsForOperators.self,
    BarByID.self,
    ChangesOfBars.self,
    LiftStoredBar.self,
    DeleteOldBars.self,
    DeleteBarsOfUser.self,
    CandidatesBySlot.self,
    CandidatesOfKinds.self,
    CandidatesInGym.self,
    CandidatesOfKindsInGym.self,
    CandidatesNearPoint.self,
    CandidatesOfKindsNearPoint.self,
    SlotsTakenOf.self,
    SessionsOfDeletedAccount.self,
    ForgetParticipant.self,
    FailMatchedSession.self,
    DeleteParticipationsOfUser.self,
    SessionsBetween.self,
    BlockedMatches.self,
    InsertFeedback.self,
    FeedbackOnUser.self,
    DeleteFeedbackOnUser.self,
    ForgetFeedbackAuthor.self,
    Beat.self,
    DeleteOldOutages.self,
    JudgeSessions.self,
    SessionsToRemind.self,
    LockSession.self,
    SessionByID.self,
    SessionsByIDs.self,
    SessionViewOf.self,
    InsertSession.self,
    MatchSession.self,
    CancelOpenSession.self,
    LeaveMatchedSession.self,
    GenderOfUser.self,
    StoreCheckIn.self,
    MarkSuccessful.self,
    MarkFinished.self,
    UpcomingSessions.self,
    PastSessions.self,
    ChangedSessions.self,
    FeedbackGivenBy.self,
    LockedMember.self,
    EnterUser.self,
    KnownProfile.self,
    PutProfiles.self,
    ForgetProfiles.self,
    MarkAccountDeleted.self,
    UserToCleanUp.self,
    MarkCleanedUp.self,
    MatchingProfileOf.self,
    AdjectivesOf.self,
  ]
}
