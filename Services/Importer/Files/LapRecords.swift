import Identifiers

/// The laps of an activity, or the lengths of a swim, as the device counted them: kept beside the model as JSON, units in the names.
struct LapRecords {
  /// A lap or a length.
  struct Lap {
    var start: Instant?
    var seconds: Double?
    /// What else is said of it, by names with units.
    private var figures: [(name: String, value: Double)] = []
    /// Words for it, such as its trigger.
    private var words: [(name: String, value: String)] = []

    init(start: Instant? = nil, seconds: Double? = nil) { (self.start, self.seconds) = (start, seconds) }

    /// Of a figure that is said twice the first counts.
    mutating func add(_ name: String, _ value: Double?) {
      guard let value, value.isFinite, !figures.contains(where: { $0.name == name }) else { return }
      figures.append((name, value))
    }

    /// Of a word that is said twice the first counts.
    mutating func add(_ name: String, word: String) {
      guard !words.contains(where: { $0.name == name }) else { return }
      words.append((name, word))
    }

    fileprivate var isEmpty: Bool { start == nil && seconds == nil && figures.isEmpty && words.isEmpty }

    fileprivate var json: String {
      var parts: [String] = []
      if let start { parts.append("\"start_time\":\"\(start)\"") }
      if let seconds, seconds.isFinite { parts.append("\"elapsed_s\":\(DeveloperSeries.text(seconds))") }
      parts += figures.map { "\"\($0.name)\":\(DeveloperSeries.text($0.value))" }
      parts += words.map { "\"\($0.name)\":\(DeveloperSeries.quoted($0.value))" }
      return "{\(parts.joined(separator: ","))}"
    }
  }

  private var laps: [Lap] = []

  /// Laps of a file; what has more is no training.
  private static let maxLaps = 2_000
  /// Bytes of a list, so that it fits beside the rest of a record: JSON that is longer than `Plausible.rawLength` is not kept at all.
  private static let maxBytes = 192 << 10

  /// Adds a lap of which something is said.
  mutating func add(_ lap: Lap) {
    if laps.count < Self.maxLaps, !lap.isEmpty { laps.append(lap) }
  }

  /// A list of those that begin within a time, as many as fit, all of them without one; `nil` if there are none.
  func json(from start: Instant? = nil, seconds: Double = 0) -> String? {
    var list = ""
    for lap in laps where lap.begins(from: start, seconds: seconds) {
      let json = lap.json
      guard list.utf8.count + json.utf8.count < Self.maxBytes else { break }
      list += (list.isEmpty ? "" : ",") + json
    }
    return list.isEmpty ? nil : "[\(list)]"
  }
}

extension LapRecords.Lap {
  /// Whether it begins within a time; any does without one.
  fileprivate func begins(from earliest: Instant?, seconds: Double) -> Bool {
    guard let earliest else { return true }
    guard let start else { return false }
    return start >= earliest && start.seconds(since: earliest) < max(seconds, 1)
  }
}
