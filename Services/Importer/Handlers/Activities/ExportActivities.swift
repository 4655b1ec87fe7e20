import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import TTRPC
import TandemImporter

extension Activities {
  /// Everything that is stored of the caller, as a zip file that is written while it is sent ([IM-11]).
  package func exportActivities(
    _ call: ExportActivitiesRequest, _ responses: MessageWriter<ExportActivitiesResponse>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    let (zip, now) = (try ZipWriter(), environment.clock.now.wholeSeconds)
    var last: SourceID?
    while true {
      let rows = try await database.rows(
        SourcesForExport(userID: user, after: last, limit: Self.sourcesAtOnce))
      let export = ExportedSources(rows, to: zip)
      var isMore = true
      while isMore {
        isMore = try await operations.work.run(for: user) { try export.goOn(on: $0) }
        try await send(zip.taken(), responses)
      }
      guard rows.count == Int(Self.sourcesAtOnce), let end = rows.last else { break }
      last = end.id
    }
    try await addDays(of: user, at: now, to: zip, responses)
    try zip.finish()
    try await send(zip.taken(), responses)
  }

  /// Tracks that are in memory at a time.
  private static let sourcesAtOnce: Int64 = 10

  private static let chunkLength = 64 << 10

  private static let rowsAtOnce: Int64 = 1_000
  /// Sleeps have raw records of up to 1 MiB.
  private static let sleepsAtOnce: Int64 = 20

  private func addDays(
    of user: UserID, at now: Int64, to zip: ZipWriter, _ responses: MessageWriter<ExportActivitiesResponse>
  ) async throws {
    try await add("steps.json", of: user, at: now, to: zip, Self.rowsAtOnce, responses, { $0.json }) {
      [database] last, limit in
      try await database.rows(
        StepsForExport(userID: user, lastDay: last?.day, lastProvider: last?.provider, limit: limit))
    }
    try await add("sleep.json", of: user, at: now, to: zip, Self.sleepsAtOnce, responses, { $0.json }) {
      [database] last, limit in
      try await database.rows(
        SleepsForExport(
          userID: user, lastEnd: last?.endedAt, lastProvider: last?.provider, lastExternalID: last?.externalID,
          limit: limit))
    }
    try await add("weight.json", of: user, at: now, to: zip, Self.rowsAtOnce, responses, { $0.json }) {
      [database] last, limit in
      try await database.rows(
        WeightsForExport(userID: user, lastMoment: last?.measuredAt, lastProvider: last?.provider, limit: limit))
    }
  }

  /// Adds a list of JSON objects, a page of which is in memory at a time.
  private func add<Row: Sendable>(
    _ name: String, of user: UserID, at now: Int64, to zip: ZipWriter, _ limit: Int64,
    _ responses: MessageWriter<ExportActivitiesResponse>, _ json: @escaping @Sendable (Row) -> String,
    page: (Row?, Int64) async throws -> [Row]
  ) async throws {
    try zip.begin(name, at: now)
    try zip.write(Array("[".utf8))
    var last: Row?
    while true {
      let rows = try await page(last, limit)
      let isFirst = last == nil
      try await operations.work.run(for: user) {
        for (place, row) in rows.enumerated() {
          try zip.write(Array(((isFirst && place == 0 ? "" : ",\n") + json(row)).utf8))
        }
      }
      try await send(zip.taken(), responses)
      last = rows.last ?? last
      guard rows.count == Int(limit) else { break }
    }
    try zip.write(Array("]\n".utf8))
    try await send(zip.taken(), responses)
  }

  private func send(_ bytes: [UInt8], _ responses: MessageWriter<ExportActivitiesResponse>) async throws {
    for start in stride(from: 0, to: bytes.count, by: Self.chunkLength) {
      let chunk = Array(bytes[start..<min(start + Self.chunkLength, bytes.count)])
      try await responses.send(about: chunk.count) { ExportActivitiesResponse(chunk: chunk) }
    }
  }
}
