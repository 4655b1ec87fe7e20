// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Events
import Idempotency
import Jobs
import Postgres

extension ImporterSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    EventsSchema.eventsUpkeep(version: 5),
    Migration(version: 6, name: "activities", bytes: PackageResources.V0002_activities_sql),
  ]

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      AccountDeletionsSchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    LockActivitiesOfUser.self,
    KnownSources.self,
    SourcesNear.self,
    InsertActivity.self,
    UpdateActivity.self,
    PutSource.self,
    DeleteEfforts.self,
    InsertEfforts.self,
    SourcesOfActivities.self,
    PutSteps.self,
    PutSleep.self,
    PutWeights.self,
    MoveSource.self,
    DeleteActivity.self,
    DeleteSourcesOfProvider.self,
    DeleteActivitiesWithoutSource.self,
    DeleteActivitiesOfUser.self,
    DeleteAllActivities.self,
    DeleteSteps.self,
    DeleteSleeps.self,
    DeleteWeights.self,
    DeleteStepsOfUser.self,
    DeleteSleepsOfUser.self,
    DeleteWeightsOfUser.self,
    DeleteFileImportsOfUser.self,
    ActivitiesOfUser.self,
    ActivityOfUser.self,
    BestTrack.self,
    InsertFileImport.self,
    FinishFileImport.self,
    FileImportByID.self,
    FileImportsOfUser.self,
    SummarizedActivities.self,
    SummarizedSteps.self,
    SummarizedSleeps.self,
    SummarizedWeights.self,
    KnownZone.self,
    FastestEfforts.self,
    FarthestActivities.self,
    LongestActivities.self,
    SourcesForExport.self,
    StepsForExport.self,
    SleepsForExport.self,
    WeightsForExport.self,
  ]
}
