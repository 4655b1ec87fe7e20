import FieldViolations
import GPX
import Geography
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Journeys {
  /// The path of a journey or alert, as it is recorded, or simplified ([TR-11]).
  package func getPath(
    _ call: GetPathRequest, _ responses: MessageWriter<GetPathResponse>, _ context: CallContext
  ) async throws {
    let path = try await path(call.journeyID, tolerance: call.toleranceM, context)
    try await streamTokens.whileValid(context) {
      try await parts(of: path) { segments in
        try await responses.send(
          GetPathResponse(points: segments.flatMap { $0.fixes(of: path).map { Position($0) } }))
      }
    }
  }

  /// The path of a journey or alert as a GPX document ([TR-11]).
  package func exportPath(
    _ call: ExportPathRequest, _ responses: MessageWriter<ExportPathResponse>, _ context: CallContext
  ) async throws {
    let path = try await path(call.journeyID, tolerance: call.toleranceM, context)
    let name = path.journey.kind == .sos ? "SOS" : "Journey"
    try await streamTokens.whileValid(context) {
      try await responses.send(.init(GPXTrack.beginning(name, at: path.journey.startedAt)))
      var isEmpty = true
      try await parts(of: path) { segments in
        var text = ""
        for segment in segments {
          if !segment.continues, !isEmpty { text += GPXTrack.nextSegment }
          isEmpty = false
          for fix in segment.fixes(of: path) { text += GPXTrack.point(fix.point, at: fix.time, altitude: fix.altitude) }
        }
        try await responses.send(.init(text))
      }
      try await responses.send(.init(GPXTrack.end))
    }
  }

  fileprivate struct Path {
    let journey: StoredJourney
    let viewer: UserID
    /// What is recorded later is not part of the answer, however long it takes.
    let end: Instant
    /// `nil` for the path as it is recorded.
    let tolerance: Metres?
  }

  private func path(_ journeyID: String, tolerance: Double, _ context: CallContext) async throws -> Path {
    let user = try context.userID
    var bad = Violations()
    let id = bad.journeyID(journeyID)
    if tolerance != 0, !PathSimplification.tolerances.contains(tolerance) {
      bad.add("tolerance_m", "The tolerance is 1 to 10,000 metres", TrackingReason.toleranceInvalid)
    }
    let found = try await database.first(JourneySeenBy(viewerID: user, journeyID: try bad.all(id)))
    guard let row = found else { throw JourneyRefusal.noSuchJourney }
    return Path(
      journey: row.journey, viewer: user,
      end: row.journey.endedAt ?? environment.clock.now + ReportedPoint.furthestAhead,
      tolerance: tolerance == 0 ? nil : Metres(tolerance))
  }

  /// Positions of one statement and of one message, at most: simplification takes quadratic time in the worst case.
  private static let partSize = 2_000

  /// Passes the path on in parts, each fetched when the one before has been taken.
  ///
  /// - Throws: NOT_FOUND `JOURNEY_NOT_FOUND` once the viewer does not see the journey any more ([TR-12]); what `take` throws.
  private func parts(of path: Path, _ take: ([PathSegment]) async throws -> Void) async throws {
    var after = path.journey.startedAt - .microseconds(1)
    var before: Fix?
    while true {
      let rows = try await database.rows(
        PathOf(
          userID: path.journey.userID, after: after, startedAt: path.journey.startedAt, endedAt: path.end,
          journeyID: path.journey.id, viewerID: path.viewer, limit: Int64(Self.partSize)))
      let fixes = rows.compactMap {
        Fix(
          $0.latitude, $0.longitude, $0.recordedAt, accuracy: $0.accuracyM, altitude: $0.altitudeM, speed: $0.speedMps,
          course: $0.course)
      }
      guard let last = fixes.last else {
        // The end of the path, or of what the viewer may see.
        _ = try await journey(path.journey.id, seenBy: path.viewer)
        return
      }
      try await take(PathSegment.segments(of: fixes, after: before))
      (after, before) = (last.time, last)
      if rows.count < Self.partSize { return }
    }
  }
}

extension PathSegment {
  /// What is shown of it.
  fileprivate func fixes(of path: Journeys.Path) -> [Fix] { path.tolerance.map { simplified(to: $0) } ?? fixes }
}

extension ExportPathResponse {
  fileprivate init(_ text: String) { self.init(chunk: Array(text.utf8)) }
}
