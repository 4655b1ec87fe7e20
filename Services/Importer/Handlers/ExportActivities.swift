import Identifiers
import ImporterDomain
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
      for row in rows {
        let name = "activities/\(row.activityID)/\(row.id)"
        let moment = row.figure.startedAt.wholeSeconds
        try zip.add(name + ".json", Array(row.json.utf8), at: moment)
        if let gpx = row.gpx { try zip.add(name + ".gpx", Array(gpx.utf8), at: moment) }
        try await send(zip.taken(), responses)
      }
      guard rows.count == Int(Self.sourcesAtOnce), let end = rows.last else { break }
      last = end.id
    }
    let (steps, sleeps, weights) = (
      try await database.rows(StepsForExport(userID: user)), try await database.rows(SleepsForExport(userID: user)),
      try await database.rows(WeightsForExport(userID: user))
    )
    try zip.add("steps.json", Self.list(steps.map(\.json)), at: now)
    try zip.add("sleep.json", Self.list(sleeps.map(\.json)), at: now)
    try zip.add("weight.json", Self.list(weights.map(\.json)), at: now)
    try zip.finish()
    try await send(zip.taken(), responses)
  }

  /// Tracks that are in memory at a time.
  private static let sourcesAtOnce: Int64 = 10

  private static let chunkLength = 64 << 10

  private static func list(_ objects: [String]) -> [UInt8] {
    Array(("[" + objects.joined(separator: ",\n") + "]\n").utf8)
  }

  private func send(_ bytes: [UInt8], _ responses: MessageWriter<ExportActivitiesResponse>) async throws {
    for start in stride(from: 0, to: bytes.count, by: Self.chunkLength) {
      let chunk = Array(bytes[start..<min(start + Self.chunkLength, bytes.count)])
      try await responses.send(about: chunk.count) { ExportActivitiesResponse(chunk: chunk) }
    }
  }
}
