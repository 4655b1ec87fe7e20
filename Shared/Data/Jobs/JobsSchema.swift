public import Postgres

/// The table of jobs, the same in every service's schema.
public enum JobsSchema {
  /// The step that makes the table `jobs`.
  ///
  /// - Parameter version: its number among the service's migrations.
  public static func migration(version: Int) -> Migration {
    Migration(version: version, name: "jobs", bytes: PackageResources.jobs_sql)
  }

  /// Every statement of the module, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    PutJob.self, KeepJob.self, PutRepeatingJob.self, KeepRepeatingJob.self, CancelJob.self, TakeDueJobs.self,
    NextReadyJob.self, CompleteJob.self, AdvanceJob.self, NoteJobFailure.self, ReleaseJob.self, DeadLetterJob.self,
    BuryOccurrence.self, CountJobs.self, CountDeadJobs.self, ListJobs.self, FindJob.self,
    RetryDeadJob.self,
  ]
}
