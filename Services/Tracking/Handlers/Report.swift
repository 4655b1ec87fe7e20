import FieldViolations
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension Locations {
  /// Stores positions of the caller ([TR-2]).
  package func reportBatch(_ call: ReportBatchRequest, _ context: CallContext) async throws -> ReportSummary {
    let user = try context.userID
    let report = try Report(call.points, to: call.groupIds)
    do { return ReportSummary(try await ingest.report(report, of: user)) } catch let refusal as ReportedGroupsRefusal {
      throw refusal.status(naming: call.groupIds)
    }
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
        let report = try Report(request.points, to: request.groupIds)
        do {
          try await responses.send(ReportSummary(try await ingest.report(report, of: user)))
        } catch let refusal as ReportedGroupsRefusal { throw refusal.status(naming: request.groupIds) }
      }
    }
  }
}

extension Report {
  fileprivate init(_ points: [Position], to names: [String]) throws {
    var bad = Violations()
    if points.isEmpty { bad.add("points", "At least one position is required", TrackingReason.pointsRequired) }
    if points.count > Self.maxPoints {
      bad.add("points", "At most \(Self.maxPoints) positions, not \(points.count)", TrackingReason.tooManyPoints)
    }
    let groupIDs = names.isEmpty ? nil : bad.groupIDs(names)
    try bad.check()
    self.init(points.map { ReportedPoint($0) }, to: groupIDs.map { Set($0) })
  }
}
