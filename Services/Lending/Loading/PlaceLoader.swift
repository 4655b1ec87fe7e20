import FileLoading
import LendingStore
import Postgres

/// Loads places from a GeoNames file ([LE-8]): streamed into a temporary table, then merged. A load is atomic, and repeating it changes
/// nothing.
package struct PlaceLoader: Sendable {
  /// Bytes of rows in one message.
  private static let batch = 1 << 20
  /// Longer lines are bad; a place with names in all languages has about ten kilobytes.
  private static let maxLineLength = 1 << 18

  private let report: @Sendable (BadRecord) -> Void
  private let progress: @Sendable (_ bytes: Int, _ records: Int) -> Void

  /// - Parameters:
  ///   - report: called for each bad line; not in their order, as repeated ids are found last.
  ///   - progress: called after each chunk with the position in the file.
  package init(
    report: @escaping @Sendable (BadRecord) -> Void,
    progress: @escaping @Sendable (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    self.report = report
    self.progress = progress
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``FileLoading/UnusableFile``; ``PostgresError``; errors of `nextChunk`.
  package func load(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(PlaceStaging.create)
    try await connection.run(PlaceStaging.createProvinces)
    var outcome = try await stage(over: connection, nextChunk)
    try await merge(over: connection, &outcome)
    try await connection.run("commit")
    return outcome
  }

  private func stage(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    var (outcome, rows, provinces, bytes) = (LoadOutcome(), CopyRows(), CopyRows(), 0)
    var (beginning, buffer) = (FileBeginning(), RecordBuffer(.line, longest: Self.maxLineLength))
    while true {
      let chunk = try nextChunk()
      buffer.append(try beginning.pass(chunk))
      bytes += chunk?.count ?? 0
      while let piece = buffer.next(isEnd: chunk == nil) { take(piece, &rows, &provinces, &outcome) }
      if !rows.bytes.isEmpty, chunk == nil || rows.bytes.count >= Self.batch {
        try await connection.copy(PlaceStaging.copy, rows.bytes)
        rows.removeAll()
      }
      progress(bytes, outcome.records)
      guard chunk == nil else { continue }
      // Some thousands in a file of all countries.
      if !provinces.bytes.isEmpty { try await connection.copy(PlaceStaging.copyProvinces, provinces.bytes) }
      return outcome
    }
  }

  private func take(
    _ piece: RecordBuffer.Piece, _ rows: inout CopyRows, _ provinces: inout CopyRows, _ outcome: inout LoadOutcome
  ) {
    outcome.records += 1
    switch piece.content {
    case .bad(let reason): skip(BadRecord(line: piece.line, reason: reason), &outcome)
    case .record(let text):
      do throws(PlaceRecord.Flaw) {
        guard let place = try PlaceRecord(line: text) else {
          outcome.passedOver += 1
          if let province = ProvinceRecord(line: text) { provinces.append(province, line: piece.line) }
          return
        }
        rows.append(place, line: piece.line)
      } catch {
        skip(BadRecord(line: piece.line, reason: error.reason), &outcome)
      }
    }
  }

  private func skip(_ bad: BadRecord, _ outcome: inout LoadOutcome) {
    outcome.bad += 1
    report(bad)
  }

  private func merge(over connection: BulkConnection, _ outcome: inout LoadOutcome) async throws {
    try await connection.run(PlaceStaging.analyze)
    for row in try await connection.run(PlaceStaging.repeated) {
      if let bad = BadRecord(repeated: row) { skip(bad, &outcome) }
    }
    try await connection.run(PlaceStaging.removeRepeated)
    outcome.take(counts: try await connection.run(PlaceStaging.merge).first)
    try await connection.run(PlaceStaging.mergeProvinces)
    try await connection.run(PlaceStaging.removeNames)
    try await connection.run(PlaceStaging.addNames)
  }
}

extension CopyRows {
  fileprivate mutating func append(_ province: ProvinceRecord, line: Int) {
    append(Int64(line))
    append(province.country)
    append(province.code)
    append(province.name)
    endRow()
  }

  fileprivate mutating func append(_ place: PlaceRecord, line: Int) {
    append(Int64(line))
    append(place.id)
    append(place.country)
    append(place.name)
    append(place.isCity ? "t" : "f")
    append("\(place.point.latitude)")
    append("\(place.point.longitude)")
    append(place.population)
    append(place.province)
    append(Int64(place.precision))
    append(place.exactness.rawValue)
    append(place.keys)
    endRow()
  }
}
