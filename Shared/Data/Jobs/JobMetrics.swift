import Metrics

/// How a run ended.
enum JobOutcome: String, CaseIterable {
  /// The job is done.
  case done
  /// It will be tried again.
  case failed
  /// It was given up.
  case dead
  /// It was cancelled, replaced or taken by another replica meanwhile; this run has left nothing in the database.
  case overtaken
  /// It was released, because the service stops.
  case released
}

/// The metrics of jobs.
public struct JobMetrics: Sendable {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "jobs_runs": "Runs of jobs, by kind and outcome: done, failed, dead, overtaken or released.",
    "jobs_late": "How long after its time a job was begun, by kind.",
    "jobs_due":
      "Jobs that are due and not begun, by kind, up to 10000; of the whole service, the same from each replica.",
    "jobs_dead": "Jobs that were given up and wait for an operator, up to 10000; the same from each replica.",
  ]

  private let runs: [JobOutcome: [String: Counter]]
  private let late: [String: Timer]
  private let due: [String: Meter]
  private let dead = Meter(label: "jobs_dead")

  init(kinds: [String]) {
    func each<Handle>(_ make: (String) -> Handle) -> [String: Handle] {
      Dictionary(uniqueKeysWithValues: kinds.map { ($0, make($0)) })
    }
    late = each { Timer(label: "jobs_late", dimensions: [("kind", $0)]) }
    due = each { Meter(label: "jobs_due", dimensions: [("kind", $0)]) }
    var runs: [JobOutcome: [String: Counter]] = [:]
    for outcome in JobOutcome.allCases {
      runs[outcome] = each { Counter(label: "jobs_runs", dimensions: [("kind", $0), ("outcome", outcome.rawValue)]) }
    }
    self.runs = runs
  }

  func began(_ kind: String, late duration: Duration) {
    late[kind]?.recordNanoseconds(max(0, duration.wholeMicroseconds) * 1_000)
  }

  func ended(_ kind: String, _ outcome: JobOutcome) { runs[outcome]?[kind]?.increment() }

  func waiting(_ counts: [CountJobs.Row], dead count: Int64) {
    for row in counts { due[row.kind]?.set(row.count) }
    dead.set(count)
  }
}
