import CatalogStore
import Postgres

/// Loads bibliographic records from a file ([CA-5]): streamed into a temporary table, then merged by one statement. A load is atomic, and
/// repeating it changes nothing.
package struct BookLoader: Sendable {
  /// Bytes of rows in one message.
  private static let batch = 1 << 20
  /// Longer records are bad; those of libraries have a few kilobytes.
  private static let maxRecordLength = 1 << 20

  private let format: BookFormat
  private let source: String
  private let report: @Sendable (BadRecord) -> Void
  private let progress: @Sendable (_ bytes: Int, _ records: Int) -> Void

  /// - Parameters:
  ///   - source: the collection that the file is from; `nil` for that of its format.
  ///   - report: called for each bad record; not in the order of lines, as repeated records are found last.
  ///   - progress: called after each chunk with the position in the file.
  package init(
    _ format: BookFormat, of source: String? = nil, report: @escaping @Sendable (BadRecord) -> Void,
    progress: @escaping @Sendable (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    self.format = format
    self.source = source ?? format.rawValue
    self.report = report
    self.progress = progress
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile``; ``PostgresError``; errors of `nextChunk`.
  package func load(
    over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?
  ) async throws -> LoadOutcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(EditionStaging.create)
    var outcome = try await stage(over: connection, nextChunk)
    try await merge(over: connection, &outcome)
    try await connection.run("commit")
    return outcome
  }

  private func stage(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    var (outcome, staged) = (LoadOutcome(), StagedRows())
    var feed = RecordFeed(RecordBuffer(format.ending, longest: Self.maxRecordLength))
    var reader = format.reader()
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces { try take(piece, &reader, &staged, &outcome) }
      if feed.isAtEnd || staged.bytes >= Self.batch { try await staged.send(over: connection) }
      progress(feed.bytes, outcome.records)
    }
    return outcome
  }

  private func take(
    _ piece: RecordBuffer.Piece, _ reader: inout any RecordReader, _ staged: inout StagedRows,
    _ outcome: inout LoadOutcome
  ) throws {
    outcome.records += 1
    do {
      switch piece.content {
      case .bad(let reason): throw EditionRecord.Flaw(reason)
      case .record(let text):
        switch try reader.read(text) {
        case .edition(let edition): staged.append(edition, line: piece.line)
        case .author(let key, let name):
          staged.append(authorNamed: name, key: key)
          outcome.passedOver += 1
        case .passedOver: outcome.passedOver += 1
        case .header: outcome.records -= 1
        }
      }
    } catch let flaw as EditionRecord.Flaw {
      outcome.bad += 1
      report(BadRecord(line: piece.line, reason: flaw.reason))
    }
  }

  private func merge(over connection: BulkConnection, _ outcome: inout LoadOutcome) async throws {
    try await connection.run(EditionStaging.analyze)
    for row in try await connection.run(EditionStaging.repeated) {
      guard let bad = BadRecord(repeated: row) else { continue }
      outcome.bad += 1
      report(bad)
    }
    try await connection.run(EditionStaging.removeRepeated)
    try await connection.run(EditionStaging.nameAuthors)
    let lost = try await connection.run(EditionStaging.removeLost(source: source)).first?.first ?? nil
    outcome.removed = lost.flatMap { Int($0) } ?? 0
    outcome.take(counts: try await connection.run(EditionStaging.merge(source: source)).first)
    try await connection.run(EditionStaging.outdate)
  }
}

/// Rows that are about to be sent to the temporary tables of a load.
private struct StagedRows {
  private var editions = CopyRows()
  private var authors = CopyRows()

  var bytes: Int { editions.bytes.count + authors.bytes.count }

  mutating func append(_ edition: EditionRecord, line: Int) {
    for isbn in edition.isbns {
      editions.append(Int64(line))
      editions.append(edition.sourceID)
      editions.append(isbn.number)
      editions.append(edition.titles)
      editions.append(edition.authors)
      editions.append(edition.authorKeys)
      editions.append(edition.year.map(Int64.init))
      editions.append(edition.language)
      editions.endRow()
    }
  }

  mutating func append(authorNamed name: String, key: String) {
    authors.append(key)
    authors.append(name)
    authors.endRow()
  }

  mutating func send(over connection: BulkConnection) async throws {
    if !editions.bytes.isEmpty { try await connection.copy(EditionStaging.copyEditions, editions.bytes) }
    if !authors.bytes.isEmpty { try await connection.copy(EditionStaging.copyAuthors, authors.bytes) }
    editions.removeAll()
    authors.removeAll()
  }
}
