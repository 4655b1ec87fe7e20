import Environment
import CatalogStore
import Jobs
import Postgres

/// Loads readers' ratings from a file ([CA-5], [CA-28]): streamed into a temporary table, then merged by one statement. A load is atomic,
/// and repeating it changes nothing. The service recomputes the recommendations afterwards.
package struct RatingLoader: Sendable {
  /// The counts of a file's lines.
  package struct Outcome: Sendable, Equatable {
    /// Lines, without the header.
    package var records = 0
    /// Ratings that did not exist.
    package var added = 0
    /// Ratings that existed with other stars.
    package var changed = 0
    /// Ratings that existed with the same stars.
    package var unchanged = 0
    /// Of these, ratings of books that are not loaded: they count once the books are.
    package var ofUnknownBooks = 0
    /// Lines that were skipped, each with its reason.
    package var bad = 0
  }

  /// Bytes of rows in one message.
  private static let batch = 1 << 20

  private let source: String
  private let environment: Environment
  private let report: @Sendable (BadRecord) -> Void
  private let progress: @Sendable (_ bytes: Int, _ records: Int) -> Void

  /// - Parameters:
  ///   - source: the collection that the file is from; `nil` for that of its format.
  ///   - report: called for each bad line; not in their order, as repeated ratings are found last.
  ///   - progress: called after each chunk with the position in the file.
  package init(
    _ format: RatingFormat, of source: String? = nil, environment: Environment,
    report: @escaping @Sendable (BadRecord) -> Void,
    progress: @escaping @Sendable (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    self.source = source ?? format.rawValue
    self.environment = environment
    self.report = report
    self.progress = progress
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile``; ``PostgresError``; errors of `nextChunk`.
  package func load(
    over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?
  ) async throws -> Outcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(RatingStaging.create)
    var outcome = try await stage(over: connection, nextChunk)
    try await merge(over: connection, &outcome)
    if outcome.added + outcome.changed > 0 {
      try await connection.schedule(RecommendationJob.afterLoad(at: environment.clock.now), in: environment)
    }
    try await connection.run("commit")
    return outcome
  }

  private func stage(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> Outcome {
    var (outcome, rows, reader) = (Outcome(), CopyRows(), RatingsReader())
    var feed = RecordFeed(RecordBuffer(.line, longest: RatingsReader.maxRecordLength))
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces { try take(piece, &reader, &rows, &outcome) }
      if feed.isAtEnd || rows.bytes.count >= Self.batch, !rows.bytes.isEmpty {
        try await connection.copy(RatingStaging.copy, rows.bytes)
        rows.removeAll()
      }
      progress(feed.bytes, outcome.records)
    }
    return outcome
  }

  private func take(
    _ piece: RecordBuffer.Piece, _ reader: inout RatingsReader, _ rows: inout CopyRows, _ outcome: inout Outcome
  ) throws {
    do {
      switch piece.content {
      case .bad(let reason): throw RatingRecord.Flaw(reason)
      case .record(let text):
        guard let rating = try reader.read(text) else { return }
        rows.append(rating, line: piece.line)
      }
    } catch let flaw as RatingRecord.Flaw {
      outcome.bad += 1
      report(BadRecord(line: piece.line, reason: flaw.reason))
    }
    outcome.records += 1
  }

  private func merge(over connection: BulkConnection, _ outcome: inout Outcome) async throws {
    try await connection.run(RatingStaging.analyze)
    let repeated = try await connection.run(RatingStaging.repeated)
    for row in repeated {
      guard let line = row[0].flatMap({ Int($0) }), let reader = row[1], let book = row[2], let first = row[3] else {
        continue
      }
      outcome.bad += 1
      report(BadRecord(line: line, reason: "reader \(reader) rated the book \(book) on line \(first) already"))
    }
    if !repeated.isEmpty { try await connection.run(RatingStaging.removeRepeated) }
    let unknown = try await connection.run(RatingStaging.unknown(source: source)).first?.first ?? nil
    outcome.ofUnknownBooks = unknown.flatMap { Int($0) } ?? 0
    let counts = try await connection.run(RatingStaging.merge(source: source)).first ?? []
    let numbers = counts.map { $0.flatMap { Int($0) } ?? 0 }
    guard numbers.count == 3 else { preconditionFailure("a merge counts three things") }
    (outcome.added, outcome.changed, outcome.unchanged) = (numbers[0], numbers[1], numbers[2])
  }
}

extension CopyRows {
  /// Appends a row of `staged_ratings`.
  fileprivate mutating func append(_ rating: RatingRecord, line: Int) {
    append(Int64(line))
    append(rating.reader)
    append(rating.sourceID)
    append(Int64(rating.stars.count))
    endRow()
  }
}
