import Environment
import CatalogDomain
import CatalogStore
import Postgres

/// A format of files with gyms.
package enum GymFormat: String, Sendable, CaseIterable {
  /// A GeoJSON FeatureCollection whose features have OpenStreetMap tags.
  case osmGeoJSON = "osm-geojson"
}

/// Loads gyms from a file ([CA-5]): streamed into a temporary table, then merged by one statement. A load is atomic, and repeating it
/// changes nothing.
package struct GymLoader: Sendable {
  /// Bytes of rows in one message.
  private static let batch = 1 << 20
  /// Longer features are bad; a building's has a few kilobytes.
  private static let maxFeatureLength = 1 << 20

  private let source: String
  private let defaultZone: String?
  private let names: GymFieldNames
  private let environment: Environment
  private let report: @Sendable (BadRecord) -> Void
  private let progress: @Sendable (_ bytes: Int, _ records: Int) -> Void

  /// - Parameters:
  ///   - source: the collection that the file is from; `nil` for that of its format.
  ///   - defaultZone: the IANA name of the zone of gyms whose records have none; `nil` if unknown.
  ///   - names: which properties are read, if the file does not have OpenStreetMap's tags.
  ///   - report: called for each bad record; not in the order of lines, as repeated records are found last.
  ///   - progress: called after each chunk with the position in the file.
  package init(
    _ format: GymFormat, of source: String? = nil, defaultZone: String?, names: GymFieldNames = .tags,
    environment: Environment,
    report: @escaping @Sendable (BadRecord) -> Void,
    progress: @escaping @Sendable (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    self.source = source ?? format.rawValue
    self.defaultZone = defaultZone
    self.names = names
    self.environment = environment
    self.report = report
    self.progress = progress
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile``, ``UnknownZone``; ``PostgresError``; errors of `nextChunk`.
  package func load(
    over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?
  ) async throws -> LoadOutcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(GymStaging.create)
    let zones = Set(try await connection.run(GymStaging.timeZones).compactMap { $0.first.flatMap { $0 } })
    if let defaultZone, !zones.contains(defaultZone) { throw UnknownZone(name: defaultZone) }
    let reader = OSMGymReader(zones: zones, defaultZone: defaultZone, names: names)
    var outcome = try await stage(over: connection, reader, nextChunk)
    try await merge(over: connection, &outcome)
    try await connection.run("commit")
    return outcome
  }

  private func stage(
    over connection: BulkConnection, _ reader: OSMGymReader, _ nextChunk: () throws -> [UInt8]?
  ) async throws -> LoadOutcome {
    var (outcome, rows) = (LoadOutcome(), CopyRows())
    var feed = RecordFeed(FeatureSplitter(longest: Self.maxFeatureLength))
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces { take(piece, reader, &rows, &outcome) }
      if feed.isAtEnd || rows.bytes.count >= Self.batch, !rows.bytes.isEmpty {
        try await connection.copy(GymStaging.copy, rows.bytes)
        rows.removeAll()
      }
      progress(feed.bytes, outcome.records)
    }
    return outcome
  }

  private func take(
    _ piece: RecordBuffer.Piece, _ reader: OSMGymReader, _ rows: inout CopyRows, _ outcome: inout LoadOutcome
  ) {
    outcome.records += 1
    let number = outcome.records
    do throws(GymFlaw) {
      switch piece.content {
      case .bad(let reason): throw GymFlaw(reason)
      case .record(let text):
        guard let gym = try reader.read(text) else { return outcome.passedOver += 1 }
        rows.append(gym, id: environment.newID(), number: number, line: piece.line)
      }
    } catch {
      outcome.bad += 1
      // The number is reported too, as a file may be a single line.
      report(BadRecord(line: piece.line, reason: "feature \(number): \(error.reason)"))
    }
  }

  private func merge(over connection: BulkConnection, _ outcome: inout LoadOutcome) async throws {
    try await connection.run(GymStaging.analyze)
    let repeated = try await connection.run(GymStaging.repeated)
    for row in repeated {
      guard let line = row[0].flatMap({ Int($0) }), let number = row[1], let id = row[2], let first = row[3] else {
        continue
      }
      outcome.bad += 1
      report(BadRecord(line: line, reason: "feature \(number): the id \(id) is on line \(first) already"))
    }
    if !repeated.isEmpty { try await connection.run(GymStaging.removeRepeated) }
    outcome.take(counts: try await connection.run(GymStaging.merge(source: source)).first)
    try await connection.run(GymStaging.settle)
  }
}

package struct UnknownZone: Error, Equatable {
  package let name: String
}

extension CopyRows {
  /// Appends a row of `staged_gyms`.
  fileprivate mutating func append(_ gym: GymRecord, id: GymID, number: Int, line: Int) {
    append(Int64(number))
    append(Int64(line))
    append(id.description)
    append(gym.sourceID)
    append(gym.name)
    append(gym.address.street)
    append(gym.address.houseNumber)
    append(gym.address.postcode)
    append(gym.address.city)
    append(gym.address.country)
    append(gym.phone)
    append(gym.website)
    append("\(gym.point.latitude)")
    append("\(gym.point.longitude)")
    append(gym.timeZone)
    append(gym.openingHours)
    append(gym.capacity.map { Int64($0) })
    append(gym.words)
    append(gym.nameKey)
    append(
      gym.outline.map { outline in
        "{" + outline.points.flatMap { ["\($0.latitude)", "\($0.longitude)"] }.joined(separator: ",") + "}"
      })
    append(gym.radius.map { "\($0.value)" })
    endRow()
  }
}
