import FieldViolations
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain

extension Locations {
  /// The most positions of one message.
  private static let mostPoints = 500

  /// Stores positions of the caller ([TR-2]).
  package func reportBatch(_ call: ReportBatchRequest, _ context: CallContext) async throws -> ReportSummary {
    let user = try context.userID
    return ReportSummary(try await ingest.report(try Self.points(call.points), of: user))
  }

  /// Stores positions of the caller while the stream is open, and answers each message once they are durable ([TR-2]).
  package func report(
    _ requests: MessageStream<ReportRequest>, _ responses: MessageWriter<ReportSummary>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    try await reportPlaces.withPlace(of: user) { try await report(requests, responses, of: user, context) }
  }

  private func report(
    _ requests: MessageStream<ReportRequest>, _ responses: MessageWriter<ReportSummary>, of user: UserID,
    _ context: CallContext
  ) async throws {
    try await streamTokens.whileValid(context) {
      var isFirst = true
      for try await request in requests {
        defer { isFirst = false }
        // Nothing is stored by a token that was revoked since the stream began ([ID-7]): messages that wait are read in spite of the end.
        try Task.checkCancellation()
        // The first message may have the access token alone.
        if isFirst, request.points.isEmpty, !request.accessToken.isEmpty { continue }
        let counts = try await ingest.report(try Self.points(request.points), of: user)
        try await responses.send(ReportSummary(counts))
      }
    }
  }

  private static func points(_ wire: [Position]) throws -> [ReportedPoint] {
    var bad = Violations()
    if wire.isEmpty { bad.add("points", "At least one position is required", TrackingReason.pointsRequired) }
    if wire.count > mostPoints {
      bad.add("points", "At most \(mostPoints) positions, not \(wire.count)", TrackingReason.tooManyPoints)
    }
    try bad.check()
    return wire.map { ReportedPoint($0) }
  }
}
