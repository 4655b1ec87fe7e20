import FileLoading
import LendingStore
import Postgres

/// Loads places and postcodes from a GeoNames file ([LE-8]): streamed into temporary tables, then merged. A load is atomic, and repeating
/// it changes nothing.
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
    try await connection.run(PlaceStaging.createPostcodes)
    var outcome = try await stage(over: connection, nextChunk)
    try await merge(over: connection, &outcome)
    try await connection.run("commit")
    return outcome
  }

  private func stage(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    var (outcome, rows, bytes) = (LoadOutcome(), StagedRows(), 0)
    var (beginning, buffer) = (FileBeginning(), RecordBuffer(.line, longest: Self.maxLineLength))
    while true {
      let chunk = try nextChunk()
      buffer.append(try beginning.pass(chunk))
      bytes += chunk?.count ?? 0
      while let piece = buffer.next(isEnd: chunk == nil) { take(piece, &rows, &outcome) }
      try await rows.send(over: connection, from: chunk == nil ? 1 : Self.batch)
      progress(bytes, outcome.records)
      if chunk == nil { return outcome }
    }
  }

  private func take(_ piece: RecordBuffer.Piece, _ rows: inout StagedRows, _ outcome: inout LoadOutcome) {
    outcome.records += 1
    switch piece.content {
    case .bad(let reason): skip(BadRecord(line: piece.line, reason: reason), &outcome)
    case .record(let text):
      do throws(PlaceRecord.Flaw) {
        if let postcode = try PostcodeRecord(line: text) {
          rows.postcodes.append(postcode, line: piece.line)
        } else if let place = try PlaceRecord(line: text) {
          rows.places.append(place, line: piece.line)
        } else {
          outcome.passedOver += 1
          if let province = ProvinceRecord(line: text) { rows.provinces.append(province, line: piece.line) }
        }
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
    outcome.take(counts: try await connection.run(PlaceStaging.mergePostcodes).first)
    try await connection.run(PlaceStaging.mergeProvinces)
    try await connection.run(PlaceStaging.removeNames)
    try await connection.run(PlaceStaging.addNames)
  }
}

/// The rows of a file that were not sent yet.
private struct StagedRows {
  var places = CopyRows()
  var postcodes = CopyRows()
  var provinces = CopyRows()

  /// Sends the rows of each kind that has at least so many bytes of them.
  mutating func send(over connection: BulkConnection, from bytes: Int) async throws {
    try await Self.send(&places, PlaceStaging.copy, over: connection, from: bytes)
    try await Self.send(&postcodes, PlaceStaging.copyPostcodes, over: connection, from: bytes)
    try await Self.send(&provinces, PlaceStaging.copyProvinces, over: connection, from: bytes)
  }

  private static func send(
    _ rows: inout CopyRows, _ copy: String, over connection: BulkConnection, from bytes: Int
  ) async throws {
    guard rows.bytes.count >= bytes else { return }
    try await connection.copy(copy, rows.bytes)
    rows.removeAll()
  }
}

extension CopyRows {
  fileprivate mutating func append(_ postcode: PostcodeRecord, line: Int) {
    append(Int64(line))
    append(postcode.country)
    append(postcode.key)
    append(postcode.name)
    append("\(postcode.point.latitude)")
    append("\(postcode.point.longitude)")
    append(Int64(postcode.precision))
    endRow()
  }

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
