import Identifiers

/// The laps of an activity, or the lengths of a swim, as the device counted them: kept beside the model as JSON, units in the names.
struct LapRecords {
  /// A lap or a length.
  struct Lap {
    var start: Instant?
    var seconds: Double?
    /// What else is said of it, by names with units.
    var figures: [(name: String, value: Double)] = []
    /// Words for it, such as its trigger.
    var words: [(name: String, value: String)] = []

    mutating func add(_ name: String, _ value: Double?) {
      if let value, value.isFinite { figures.append((name, value)) }
    }

    fileprivate var json: String {
      var parts: [String] = []
      if let start { parts.append("\"start_time\":\"\(start)\"") }
      if let seconds { parts.append("\"elapsed_s\":\(DeveloperSeries.text(seconds))") }
      parts += figures.map { "\"\($0.name)\":\(DeveloperSeries.text($0.value))" }
      parts += words.map { "\"\($0.name)\":\(DeveloperSeries.quoted($0.value))" }
      return "{\(parts.joined(separator: ","))}"
    }
  }

  private(set) var laps: [Lap] = []

  /// Laps of a file, so that they fit beside the rest of a record; of further ones only the number is known.
  private static let most = 2_000

  mutating func add(_ lap: Lap) {
    if laps.count < Self.most { laps.append(lap) }
  }

  /// A list of those that begin within a time, all of them without one; `nil` if there are none.
  func json(from start: Instant? = nil, seconds: Double = 0) -> String? {
    let own = laps.filter { lap in
      guard let start, let begin = lap.start else { return start == nil }
      let place = begin.seconds(since: start)
      return place >= 0 && place < max(seconds, 1)
    }
    return own.isEmpty ? nil : "[\(own.map(\.json).joined(separator: ","))]"
  }
}
