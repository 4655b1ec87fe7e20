import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import WorkerPool

extension ActivityOperations {
  /// Stores reports, each as a source of an activity: of the one that it was before, of one that another source reported, or of a new one.
  func placeReports(
    _ reports: [Report], of user: UserID, by importID: ImportID?, _ tx: Transaction
  ) async throws -> [Place] {
    let known = try await known(reports, of: user, tx)
    let near = try await near(reports.filter { known[$0.key] == nil }, of: user, tx)
    let ids = reports.map { _ in (activity: environment.newID() as ActivityID, source: environment.newID() as SourceID)
    }
    let (places, parts) = try await work.run(for: user) { thread in
      Self.places(of: reports, known: known, near: near, ids, on: thread)
    }
    try await write(Array(zip(reports, places)).filter { $1.isChange }, joining: parts, of: user, by: importID, tx)
    return places
  }

  /// The place of each report, and the known activities that turned out to be parts of others, with these.
  private static func places(
    of reports: [Report], known: [String: KnownSources.Row], near: [KnownReport],
    _ ids: [(activity: ActivityID, source: SourceID)], on thread: borrowing PoolThread
  ) -> ([Place], [(part: ActivityID, whole: ActivityID)]) {
    var (outings, places) = (Outings(near), [Place]())
    for (report, id) in zip(reports, ids) {
      if let known = known[report.key] {
        // One that the same source reported before stays where it is.
        let outcome = known.digest == report.digest ? Place.Outcome.unchanged : .changed
        places.append(Place(activity: known.activityID, source: known.id, outcome: outcome))
      } else {
        let activity = outings.place(report.facts, as: id.source, new: id.activity, on: thread)
        places.append(Place(activity: activity, source: id.source, outcome: .merged))
      }
    }
    let existing = Set(near.map(\.activity)).union(known.values.map(\.activityID))
    var made = existing
    for index in places.indices {
      places[index].activity = outings.whole(of: places[index].activity)
      guard places[index].outcome == .merged else { continue }
      if made.insert(places[index].activity).inserted { places[index].outcome = .new }
    }
    let parts = existing.map { (part: $0, whole: outings.whole(of: $0)) }.filter { $0.part != $0.whole }
    return (places, parts.sorted { $0.part < $1.part })
  }

  private func known(
    _ reports: [Report], of user: UserID, _ tx: Transaction
  ) async throws -> [String: KnownSources.Row] {
    var known: [String: KnownSources.Row] = [:]
    for (provider, ids) in Self.ids(of: reports) {
      for row in try await tx.rows(KnownSources(userID: user, provider: provider, externalIDs: ids)) {
        known[Report.key(provider, row.externalID)] = row
      }
    }
    return known
  }

  /// The stored reports that new ones may belong to, with what else is known of their activities.
  private func near(_ reports: [Report], of user: UserID, _ tx: Transaction) async throws -> [KnownReport] {
    guard !reports.isEmpty else { return [] }
    let rows = try await tx.rows(SourcesNear(of: user, reports.map(\.facts)))
    guard !rows.isEmpty else { return [] }
    let beside = try await tx.rows(
      SourcesBeside(sources: Int64(Outings.sourcesOfActivity), activityIDs: Array(Set(rows.map(\.activityID))).sorted())
    )
    return try await work.run(for: user) {
      let found = Set(rows.map(\.id))
      return rows.map { KnownReport($0) } + beside.filter { !found.contains($0.id) }.map { KnownReport($0) }
    }
  }

  private func write(
    _ changes: [(Report, Place)], joining parts: [(part: ActivityID, whole: ActivityID)], of user: UserID,
    by importID: ImportID?, _ tx: Transaction
  ) async throws {
    guard !changes.isEmpty else { return }
    let now = environment.clock.now
    try await tx.rows(
      each: changes.filter { $1.outcome == .new }.map { report, place in
        InsertActivity(
          activityID: place.activity, userID: user, sport: report.activity.sport,
          startedAt: report.activity.startedAt, timeZone: report.activity.timeZone,
          durationS: report.activity.durationSeconds, title: report.activity.title, now: now)
      })
    try await tx.rows(
      each: changes.map { report, place in PutSource(report, place, of: user, by: importID, now: now) })
    try await writeEfforts(changes, tx)
    try await join(parts, of: user, tx)
    try await refresh(changes.map(\.1.activity), of: user, tx)
  }

  /// Makes activities one with those that they are parts of.
  private func join(
    _ parts: [(part: ActivityID, whole: ActivityID)], of user: UserID, _ tx: Transaction
  ) async throws {
    guard !parts.isEmpty else { return }
    try await tx.execute(MoveSources(parts: parts.map(\.part.uuid), wholes: parts.map(\.whole.uuid)))
    let gone = try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: parts.map(\.part)))
    try await publishRemoved(gone, of: user, tx)
  }

  private func writeEfforts(_ changes: [(Report, Place)], _ tx: Transaction) async throws {
    var (sources, distances, times): ([SourceID], [Double], [Double]) = ([], [], [])
    for (report, place) in changes {
      for (distance, time) in report.efforts {
        sources.append(place.source)
        distances.append(distance)
        times.append(time)
      }
    }
    try await tx.execute(DeleteEfforts(sourceIDs: changes.map(\.1.source)))
    try await tx.execute(InsertEfforts(sourceIDs: sources, distancesM: distances, durationsS: times))
  }

  static func ids(of reports: [Report]) -> [String: [String]] {
    Dictionary(grouping: reports, by: \.activity.provider).mapValues { $0.map(\.activity.externalID) }
  }
}
