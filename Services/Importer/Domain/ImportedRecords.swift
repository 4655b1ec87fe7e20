import Identifiers

/// An activity as one source reports it, mapped to the one model ([IM-7]).
package struct ImportedActivity: Sendable, Equatable {
  /// The provider, for example `strava`; `file` for uploaded files.
  package var provider: String
  /// The provider's id of the activity; for files a digest of the record.
  package var externalID: String
  package var sport: Sport
  package var startedAt: Instant
  /// IANA name of the zone of the start, or an offset such as `+02:00`, if that is all that is known.
  package var timeZone: String
  /// From start to end, in seconds.
  package var durationSeconds: Double
  /// Time in motion, in seconds.
  package var movingSeconds: Double?
  package var distanceMetres: Double?
  package var energyKilocalories: Double?
  /// Beats per minute.
  package var heartRateAverage: Double?
  /// Beats per minute.
  package var heartRateMaximum: Double?
  package var ascentMetres: Double?
  package var elevationSource: ElevationSource?
  package var title: String
  /// Recording device or program; empty if unknown.
  package var device: String
  package var track: Track?
  /// What the source says beyond the model, as JSON; `nil` if nothing.
  package var raw: String?

  package init(
    provider: String, externalID: String, sport: Sport, startedAt: Instant, timeZone: String, durationSeconds: Double,
    movingSeconds: Double? = nil, distanceMetres: Double? = nil, energyKilocalories: Double? = nil,
    heartRateAverage: Double? = nil, heartRateMaximum: Double? = nil, ascentMetres: Double? = nil,
    elevationSource: ElevationSource? = nil, title: String = "", device: String = "", track: Track? = nil,
    raw: String? = nil
  ) {
    self.provider = provider
    self.externalID = externalID
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationSeconds = durationSeconds
    self.movingSeconds = movingSeconds
    self.distanceMetres = distanceMetres
    self.energyKilocalories = energyKilocalories
    self.heartRateAverage = heartRateAverage
    self.heartRateMaximum = heartRateMaximum
    self.ascentMetres = ascentMetres
    self.elevationSource = elevationSource
    self.title = title
    self.device = device
    self.track = track
    self.raw = raw
  }
}

/// Where heights of an activity come from. The raw values are stored and on the wire.
package enum ElevationSource: String, Sendable, Hashable, CaseIterable {
  case barometer
  case gps
  case provider
}

/// The steps of a day, in the user's own calendar.
package struct ImportedSteps: Sendable, Equatable {
  package var provider: String
  package var day: CivilDate
  package var steps: Int64
  /// What the source says of the day beyond its steps, as JSON; `nil` if nothing.
  package var raw: String?

  package init(provider: String, day: CivilDate, steps: Int64, raw: String? = nil) {
    (self.provider, self.day, self.steps, self.raw) = (provider, day, steps, raw)
  }
}

/// A night or a nap.
package struct ImportedSleep: Sendable, Equatable {
  package var provider: String
  /// The provider's id of the sleep; for files its start.
  package var externalID: String
  package var startedAt: Instant
  package var endedAt: Instant
  package var timeZone: String
  /// Time asleep, without time awake in bed.
  package var asleepSeconds: Double
  package var raw: String?

  package init(
    provider: String, externalID: String, startedAt: Instant, endedAt: Instant, timeZone: String,
    asleepSeconds: Double, raw: String? = nil
  ) {
    self.provider = provider
    self.externalID = externalID
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.timeZone = timeZone
    self.asleepSeconds = asleepSeconds
    self.raw = raw
  }
}

/// A weighing.
package struct ImportedWeight: Sendable, Equatable {
  package var provider: String
  package var measuredAt: Instant
  package var kilograms: Double
  /// What the source says beyond the model, as JSON; `nil` if nothing.
  package var raw: String?

  package init(provider: String, measuredAt: Instant, kilograms: Double, raw: String? = nil) {
    (self.provider, self.measuredAt, self.kilograms, self.raw) = (provider, measuredAt, kilograms, raw)
  }
}

/// What a source says of the body in a record of its own, beside the weighing at that time.
package struct ImportedComposition: Sendable, Equatable {
  package var provider: String
  package var measuredAt: Instant
  /// JSON.
  package var raw: String

  package init(provider: String, measuredAt: Instant, raw: String) {
    (self.provider, self.measuredAt, self.raw) = (provider, measuredAt, raw)
  }
}

/// Records to store together, from a page of a provider or from a file.
package struct ImportedBatch: Sendable, Equatable {
  package var activities: [ImportedActivity]
  package var steps: [ImportedSteps]
  package var sleeps: [ImportedSleep]
  package var weights: [ImportedWeight]
  /// Of weighings that are stored, or are in `weights`; only of providers.
  package var compositions: [ImportedComposition] = []

  package init(
    activities: [ImportedActivity] = [], steps: [ImportedSteps] = [], sleeps: [ImportedSleep] = [],
    weights: [ImportedWeight] = []
  ) {
    (self.activities, self.steps, self.sleeps, self.weights) = (activities, steps, sleeps, weights)
  }
}
