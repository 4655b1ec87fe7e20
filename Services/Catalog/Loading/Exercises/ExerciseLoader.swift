import Environment
import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// Loads exercises from a file ([CA-5]) and merges those that several collections have ([CA-10]), in one transaction. A load is atomic,
/// repeating it changes nothing, and the exercises do not depend on the order in which files are loaded.
package struct ExerciseLoader: Sendable {
  /// The result of a load.
  package struct Outcome: Sendable, Equatable {
    /// The counts of the file's records.
    package var file = LoadOutcome()
    /// Exercises after the load.
    package var exercises = 0
  }

  /// Bytes of rows in one message.
  private static let batch = 1 << 20
  /// Longer records are bad; those of collections have a few kilobytes.
  private static let maxRecordLength = 1 << 20

  private let format: ExerciseFormat
  private let source: String
  private let environment: Environment
  private let report: @Sendable (BadRecord) -> Void
  private let progress: @Sendable (_ bytes: Int, _ records: Int) -> Void

  /// - Parameters:
  ///   - collection: which the records are of; `nil` for the one that the format is named after.
  ///   - environment: of the ids of new exercises.
  ///   - report: called for each bad record; not in the order of lines, as repeated records are found last.
  ///   - progress: called after each chunk with the position in the file.
  package init(
    _ format: ExerciseFormat, of collection: ExerciseCollection? = nil, environment: Environment,
    report: @escaping @Sendable (BadRecord) -> Void,
    progress: @escaping @Sendable (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    self.format = format
    source = collection?.rawValue ?? format.rawValue
    self.environment = environment
    self.report = report
    self.progress = progress
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile``; ``PostgresError``; errors of `nextChunk`.
  package func load(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> Outcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(ExerciseStaging.create)
    var outcome = Outcome(file: try await stage(over: connection, nextChunk))
    try await connection.run(ExerciseStaging.lock)
    try await merge(over: connection, &outcome.file)
    // Also without a new record: the rule may have changed since the last load.
    try await ExerciseGrouping(environment: environment).renew(over: connection)
    outcome.exercises = try await connection.run(ExerciseStaging.count).first?[0].flatMap { Int($0) } ?? 0
    try await connection.run("commit")
    return outcome
  }

  private func stage(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    var (outcome, rows) = (LoadOutcome(), CopyRows())
    var feed = RecordFeed(JSONArrayBuffer(longest: Self.maxRecordLength))
    let reader = format.reader()
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces { take(piece, reader, &rows, &outcome) }
      if feed.isAtEnd || rows.bytes.count >= Self.batch, !rows.bytes.isEmpty {
        try await connection.copy(ExerciseStaging.copyRecords, rows.bytes)
        rows.removeAll()
      }
      progress(feed.bytes, outcome.records)
    }
    return outcome
  }

  private func take(
    _ piece: RecordBuffer.Piece, _ reader: any ExerciseReader, _ rows: inout CopyRows, _ outcome: inout LoadOutcome
  ) {
    outcome.records += 1
    do throws(ExerciseFlaw) {
      switch piece.content {
      case .bad(let reason): throw ExerciseFlaw(reason)
      case .record(let text):
        rows.append(try reader.read(text), line: piece.line)
        for muscle in try ExerciseVocabulary.unknownMuscles(in: text) {
          report(BadRecord(line: piece.line, reason: "its muscle \"\(muscle)\" is not known, and is left out"))
        }
      }
    } catch {
      outcome.bad += 1
      report(BadRecord(line: piece.line, reason: error.reason))
    }
  }

  private func merge(over connection: BulkConnection, _ outcome: inout LoadOutcome) async throws {
    for row in try await connection.run(ExerciseStaging.repeated) {
      guard let bad = BadRecord(repeated: row) else { continue }
      outcome.bad += 1
      report(bad)
    }
    try await connection.run(ExerciseStaging.removeRepeated)
    outcome.take(counts: try await connection.run(ExerciseStaging.merge(source: source)).first)
  }
}

extension CopyRows {
  fileprivate mutating func append(_ record: ExerciseRecord, line: Int) {
    append(Int64(line))
    append(record.sourceID)
    append(record.name)
    append(record.aliases)
    append(record.category?.rawValue ?? "")
    append(record.level?.rawValue ?? "")
    append(record.muscles.map(\.rawValue))
    append(record.secondaryMuscles.map(\.rawValue))
    append(record.muscleGroups.map(\.rawValue))
    append(record.equipment.map(\.rawValue))
    append(record.instructions)
    append(record.images)
    append(record.license)
    append(record.attribution)
    endRow()
  }
}
