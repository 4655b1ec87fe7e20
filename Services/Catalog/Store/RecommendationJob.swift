import Identifiers
import Jobs

extension JobKind where Payload == String {
  /// Makes what is recommended anew ([CA-28]); the payload is empty.
  package static let recommendations = {
    var limits = JobLimits()
    // Ten times what 10,000 books take.
    (limits.duration, limits.atOnce) = (.seconds(600), 1)
    return JobKind<String>("rebuild_recommendations", limits)
  }()
}

/// When what is recommended is made anew.
package enum RecommendationJob {
  /// How long it lacks what somebody read, at least: transactions that know of it have ended by then.
  private static let delay: Duration = .seconds(300)
  /// All that is read within so many microseconds has one job.
  private static let shared: Int64 = 300_000_000

  /// For something that somebody read, or said about it, at a moment: five to ten minutes later.
  ///
  /// The key is the job's own time and not always the same one: a job that is being done has read already what there is, so it must not stand for
  /// what comes while it runs.
  package static func after(_ moment: Instant) -> Job {
    let whole = ((moment + delay).microseconds + shared - 1) / shared * shared
    return Job(
      .recommendations, "", at: Instant(microseconds: whole), key: "\(whole / 1_000_000)", ifScheduled: .isKept)
  }

  /// For a load of many readers' ratings: at once.
  package static func afterLoad(at moment: Instant) -> Job { Job(.recommendations, "", at: moment, key: "load") }
}
