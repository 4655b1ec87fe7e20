import Identifiers
import Jobs

extension JobKind where Payload == String {
  /// Computes the recommendations ([CA-28]); the payload is empty.
  package static let recommendations = {
    var limits = JobLimits()
    // Ten times the duration for 10,000 books.
    (limits.duration, limits.atOnce) = (.seconds(600), 1)
    return JobKind<String>("rebuild_recommendations", limits)
  }()
}

/// When the recommendations are computed.
package enum RecommendationJob {
  /// The shortest time until a new reading is taken into account: by then the transactions that wrote it have ended.
  private static let delay: Duration = .seconds(300)
  /// All readings within so many microseconds share one job.
  private static let shared: Int64 = 300_000_000

  /// The job for a reading or rating at `moment`: five to ten minutes later.
  ///
  /// The key is the time of the job and not a constant: a running job has already read its input, so it must not stand for later readings.
  package static func after(_ moment: Instant) -> Job {
    let whole = ((moment + delay).microseconds + shared - 1) / shared * shared
    return Job(
      .recommendations, "", at: Instant(microseconds: whole), key: "\(whole / 1_000_000)", ifScheduled: .isKept)
  }

  /// The job for a load of many ratings: at once.
  package static func afterLoad(at moment: Instant) -> Job { Job(.recommendations, "", at: moment, key: "load") }
}
