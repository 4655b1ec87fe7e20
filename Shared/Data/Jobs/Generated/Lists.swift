// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension JobsSchema {
  /// `jobs.sql`, as a schema's migration number `version`.
  public static func jobs(version: Int) -> Migration {
    Migration(version: version, name: "jobs", bytes: PackageResources.jobs_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    CountJobs.self,
    CountDeadJobs.self,
    ListJobs.self,
    FindJob.self,
    RetryDeadJob.self,
    TakeDueJobs.self,
    NextReadyJob.self,
    CompleteJob.self,
    AdvanceJob.self,
    NoteJobFailure.self,
    ReleaseJob.self,
    DeadLetterJob.self,
    BuryOccurrence.self,
    PutJob.self,
    KeepJob.self,
    PutRepeatingJob.self,
    KeepRepeatingJob.self,
    CancelJob.self,
  ]
}
