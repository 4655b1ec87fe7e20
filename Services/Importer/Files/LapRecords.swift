import FileContents
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
  /// Those beyond the most, which are not kept.
  private var excess = 0

  /// Laps of a file; what has more is no training.
  private static let maxLaps = 2_000
  /// Bytes of a list, so that it fits beside the rest of a record: JSON that is longer than `Plausible.rawLength` is not kept at all.
  private static let maxBytes = 192 << 10

  /// Adds a lap of which something is said.
  mutating func add(_ lap: Lap) {
    guard !lap.isEmpty else { return }
    if laps.count < Self.maxLaps { laps.append(lap) } else { excess += 1 }
  }

  /// A list of those that begin within a time, as many as fit, all of them without one; `nil` if there are none.
  func json(from start: Instant? = nil, seconds: Double = 0) -> String? {
    let list = list(from: start, seconds: seconds).text
    return list.isEmpty ? nil : "[\(list)]"
  }

  private func list(from start: Instant?, seconds: Double) -> (text: String, kept: Int, leftOut: Int) {
    var (text, kept, leftOut) = ("", 0, 0)
    for lap in laps where lap.begins(from: start, seconds: seconds) {
      let json = leftOut == 0 ? lap.json : ""
      guard leftOut == 0, text.utf8.count + json.utf8.count < Self.maxBytes else {
        leftOut += 1
        continue
      }
      text += (text.isEmpty ? "" : ",") + json
      kept += 1
    }
    return (text, kept, leftOut)
  }

  /// What ``json(from:seconds:)`` leaves out of a list, and, in the list of all, what came beyond the most; `nil` if it is nothing.
  ///
  /// - Parameter name: of the list in the file.
  func leftOut(named name: String, from start: Instant? = nil, seconds: Double = 0) -> SkippedRecord? {
    let list = list(from: start, seconds: seconds)
    return Self.leftOut(list.leftOut + (start == nil ? excess : 0), named: name, behind: list.kept)
  }

  /// What came beyond the most that are kept of a file; `nil` if it is nothing.
  func excess(named name: String) -> SkippedRecord? { Self.leftOut(excess, named: name, behind: laps.count) }

  private static func leftOut(_ count: Int, named name: String, behind index: Int) -> SkippedRecord? {
    guard count > 0 else { return nil }
    return SkippedRecord(
      member: "", list: name, index: index,
      message: "\(count) of them are left out: they are more than are kept beside an activity")
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
