import Identifiers

/// A sleep as one source reports it, without the rest of its record.
package struct SleepSpan: Sendable, Equatable {
  package let externalID: String
  package let startedAt: Instant
  package let endedAt: Instant
  /// Time asleep, in seconds.
  package let asleepSeconds: Double

  package init(externalID: String, startedAt: Instant, endedAt: Instant, asleepSeconds: Double) {
    (self.externalID, self.startedAt, self.endedAt) = (externalID, startedAt, endedAt)
    self.asleepSeconds = asleepSeconds
  }
}

/// Which sleeps count, of those that one provider reports by its interface and in its archives, with different ids ([IM-8]).
package enum CountedSleeps {
  /// The share of the shorter one that two reports of one sleep have in common.
  private static let minOverlap = 0.5

  /// The ids of those that count: of two reports of one sleep the one with more of it.
  package static func ids(of sleeps: [SleepSpan]) -> Set<String> {
    let inOrder = sleeps.sorted {
      ($0.startedAt, $0.endedAt, $0.externalID) < ($1.startedAt, $1.endedAt, $1.externalID)
    }
    var counted: [SleepSpan] = []
    for sleep in inOrder {
      guard let last = counted.last, areOne(last, sleep) else {
        counted.append(sleep)
        continue
      }
      if sleep.asleepSeconds > last.asleepSeconds { counted[counted.count - 1] = sleep }
    }
    return Set(counted.map(\.externalID))
  }

  private static func areOne(_ one: SleepSpan, _ other: SleepSpan) -> Bool {
    let overlap = min(one.endedAt, other.endedAt) - max(one.startedAt, other.startedAt)
    let shorter = min(one.endedAt - one.startedAt, other.endedAt - other.startedAt)
    return overlap > .zero && overlap >= shorter * minOverlap
  }
}
