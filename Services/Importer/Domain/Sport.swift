/// The kind of an activity. The raw values are stored.
package enum Sport: String, Sendable, Hashable, CaseIterable {
  case other = "OTHER"
  case run = "RUN"
  case ride = "RIDE"
  case walk = "WALK"
  case hike = "HIKE"
  case swim = "SWIM"
  case row = "ROW"
  case ski = "SKI"
  case strength = "STRENGTH"
  case yoga = "YOGA"

  /// The sport that a provider's or file's word means, compared without case and separators; `.other` for unknown words.
  ///
  /// `TrailRun`, `virtual_ride`, `HKWorkoutActivityTypeHiking` and `Cycling` are understood by the words in them.
  package init(named word: String) {
    let letters = word.lowercased().filter(\.isLetter)
    self = Self.words.first { letters.contains($0.word) }?.sport ?? .other
  }

  /// In order: the first that occurs decides. `hkworkoutactivitytype` has `ty` but none of them.
  private static let words: [(word: String, sport: Sport)] = [
    ("walkingtreadmill", .walk), ("treadmillwalk", .walk), ("treadmill", .run), ("trailrun", .run),
    ("virtualride", .ride), ("run", .run), ("jog", .run), ("lauf", .run),
    ("cycl", .ride), ("bike", .ride), ("biking", .ride), ("ride", .ride), ("spinning", .ride), ("hik", .hike),
    ("mountaineer", .hike), ("walk", .walk), ("swim", .swim), ("row", .row), ("ski", .ski), ("snowboard", .ski),
    ("strength", .strength), ("weight", .strength), ("crossfit", .strength), ("gym", .strength), ("yoga", .yoga),
    ("pilates", .yoga), ("stretch", .yoga), ("flexibility", .yoga),
  ]

  /// Metres a second that nobody exceeds in it for long: faster means a fault of the positions.
  package var highestSpeed: Double {
    switch self {
    case .run: 12
    case .walk, .hike: 7
    case .swim: 4
    case .row: 10
    case .ride: 35
    case .ski: 60
    case .other, .strength, .yoga: 100
    }
  }
}
