import Identifiers
import ImporterDomain

/// What the documents of an archive contain.
package struct DocumentRecords: Sendable, Equatable {
  package var batch = ImportedBatch()
  /// Records whose times are those of the user's clock, as if its zone were UTC, and whose zones are empty: their documents do not say
  /// where the user was.
  package var local = ImportedBatch()
  /// Steps of days, which documents count by the minute or as a whole.
  private var steps: [Int: Int64] = [:]
  /// Bytes of what is kept as JSON.
  package private(set) var rawBytes = 0

  package init() {}

  package var stepDays: Int { steps.count }

  /// With the steps of its days.
  package var whole: ImportedBatch {
    var whole = batch
    whole.steps += steps.sorted { $0.key < $1.key }.map {
      ImportedSteps(provider: FitbitDocument.provider, day: CivilDate(daysSince1970: $0.key), steps: $0.value)
    }
    return whole
  }

  mutating func add(_ activity: ImportedActivity, isLocal: Bool) {
    rawBytes += activity.raw?.utf8.count ?? 0
    if isLocal { local.activities.append(activity) } else { batch.activities.append(activity) }
  }

  mutating func add(_ sleep: ImportedSleep, isLocal: Bool) {
    rawBytes += sleep.raw?.utf8.count ?? 0
    if isLocal { local.sleeps.append(sleep) } else { batch.sleeps.append(sleep) }
  }

  mutating func add(_ weight: ImportedWeight, isLocal: Bool) {
    rawBytes += weight.raw?.utf8.count ?? 0
    if isLocal { local.weights.append(weight) } else { batch.weights.append(weight) }
  }

  /// Adds steps that were counted in a part of a day.
  mutating func add(steps count: Int64, on day: CivilDate) {
    // No day has so many: a sum that overflows would end the reader.
    steps[day.daysSince1970] = min((steps[day.daysSince1970] ?? 0) + count, 1 << 40)
  }

  mutating func set(steps count: Int64, on day: CivilDate) { steps[day.daysSince1970] = count }
}

/// Why a record of a document cannot be read.
package struct RecordRefusal: Error, Sendable, Equatable {
  /// For users.
  package let message: String

  package init(_ message: String) { self.message = message }
}
