import Identifiers
import WorkerPool

/// A report of a user that is known, and the activity that it is in.
package struct KnownReport: Sendable {
  package let source: SourceID
  package var activity: ActivityID
  package let facts: OutingFacts
  /// Whether the user made the activity of a source of another one: it stays apart.
  package let isSplitOff: Bool

  package init(source: SourceID, activity: ActivityID, facts: OutingFacts, isSplitOff: Bool = false) {
    (self.source, self.activity, self.facts, self.isSplitOff) = (source, activity, facts, isSplitOff)
  }
}

/// The known reports of a user around some times, to find what new ones belong to ([IM-8]).
///
/// Work for a report is bounded, whatever else is known: of the reports that are near in time and place the nearest in time are
/// compared, and of their activities a few sources each.
package struct Outings: Sendable {
  /// Reports that a new one is compared with.
  package static let candidates = 16
  /// Sources of an activity that have a say.
  package static let sourcesOfActivity = 8

  private var reports: [KnownReport]
  /// Places in `reports`, by their starts.
  private var byStart: [Int]
  private var ofActivity: [ActivityID: [Int]]
  /// Activities that turned out to be parts of others, and these.
  private var joined: [ActivityID: ActivityID] = [:]
  /// Pairs of reports that were compared by all that they say.
  package private(set) var comparisons = 0

  package init(_ reports: [KnownReport]) {
    self.reports = reports
    byStart = reports.indices.sorted { reports[$0].facts.startedAt < reports[$1].facts.startedAt }
    ofActivity = Dictionary(grouping: reports.indices) { reports[$0].activity }
  }

  /// The activity that one is a part of by now; itself for most.
  package func whole(of activity: ActivityID) -> ActivityID {
    var whole = activity
    while let next = joined[whole] { whole = next }
    return whole
  }

  /// The activity that a report belongs to, `new` if to none that is known. It is known to later ones.
  ///
  /// A report that covers several activities, which are about different parts of its time, makes one of them.
  package mutating func place(
    _ facts: OutingFacts, as source: SourceID, new: ActivityID, on thread: borrowing PoolThread
  ) -> ActivityID {
    var found: [(activity: ActivityID, likeness: Double, clocks: OutingVerdict.Clocks)] = []
    var refused: Set<ActivityID> = []
    for index in near(facts) {
      let activity = reports[index].activity
      guard !refused.contains(activity) else { continue }
      switch compare(reports[index].facts, facts) {
      case .same(let likeness, let clocks): found.append((activity, likeness, clocks))
      // An activity with a source that contradicts the report is another outing, though a vague third one fits both.
      case .apart: refused.insert(activity)
      case .unrelated: continue
      }
    }
    found.removeAll { refused.contains($0.activity) }
    found.sort { $0.likeness > $1.likeness }
    let best = found.first { !contradicts($0.activity, facts) }
    let activity = best?.activity ?? new
    var whole = activity
    if best?.clocks == .agree {
      for part in found.dropFirst() where part.clocks == .agree {
        whole = join(self.whole(of: part.activity), and: whole, facts)
      }
    }
    add(KnownReport(source: source, activity: whole, facts: facts))
    return whole
  }

  // MARK: Candidates

  /// The reports that are near in time and place, the nearest starts first.
  private func near(_ facts: OutingFacts) -> [Int] {
    let (earliest, latest) = (facts.startedAt - SameOuting.window, facts.startedAt + SameOuting.window)
    var (up, down) = (firstPlace(from: facts.startedAt), firstPlace(from: facts.startedAt) - 1)
    var found: [Int] = []
    func start(_ place: Int) -> Instant { reports[byStart[place]].facts.startedAt }
    while found.count < Self.candidates {
      let above = up < byStart.count && start(up) <= latest
      let below = down >= 0 && start(down) >= earliest
      guard above || below else { break }
      let takesAbove = above && (!below || start(up) - facts.startedAt <= facts.startedAt - start(down))
      let index = byStart[takesAbove ? up : down]
      if takesAbove { up += 1 } else { down -= 1 }
      if SameOuting.mayBeSame(reports[index].facts, facts) { found.append(index) }
    }
    return found
  }

  private func firstPlace(from moment: Instant) -> Int {
    var (low, high) = (0, byStart.count)
    while low < high {
      let middle = (low + high) / 2
      if reports[byStart[middle]].facts.startedAt < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func compare(_ one: OutingFacts, _ other: OutingFacts) -> OutingVerdict {
    comparisons += 1
    return SameOuting.verdict(one, other)
  }

  private func sources(of activity: ActivityID) -> ArraySlice<Int> {
    (ofActivity[activity] ?? []).prefix(Self.sourcesOfActivity)
  }

  private mutating func contradicts(_ activity: ActivityID, _ facts: OutingFacts) -> Bool {
    for index in sources(of: activity) where compare(reports[index].facts, facts) == .apart { return true }
    return false
  }

  // MARK: Parts of one outing

  /// Makes one activity of two that a report covers, if they are about different times and no user has split them; returns the
  /// activity that the report is in.
  private mutating func join(_ part: ActivityID, and whole: ActivityID, _ facts: OutingFacts) -> ActivityID {
    guard part != whole, areParts(part, whole), !contradicts(part, facts) else { return whole }
    // The older one stays: others may know its id.
    let (stays, goes) = part < whole ? (part, whole) : (whole, part)
    for index in ofActivity[goes] ?? [] { reports[index].activity = stays }
    ofActivity[stays, default: []] += ofActivity.removeValue(forKey: goes) ?? []
    joined[goes] = stays
    return stays
  }

  private mutating func areParts(_ one: ActivityID, _ other: ActivityID) -> Bool {
    for index in sources(of: one) {
      guard !reports[index].isSplitOff else { return false }
      for beside in sources(of: other) {
        guard !reports[beside].isSplitOff, compare(reports[index].facts, reports[beside].facts) == .unrelated else {
          return false
        }
      }
    }
    return true
  }

  private mutating func add(_ report: KnownReport) {
    byStart.insert(reports.count, at: firstPlace(from: report.facts.startedAt))
    ofActivity[report.activity, default: []].append(reports.count)
    reports.append(report)
  }
}
