import FieldViolations
import struct GoogleRPC.BadRequest
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain

extension Locations {
  /// Stores positions of the caller ([TR-2]).
  package func reportBatch(_ call: ReportBatchRequest, _ context: CallContext) async throws -> ReportSummary {
    let user = try context.userID
    return ReportSummary(try await ingest.report(try Report(call.points, to: call.groupIds), of: user))
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
        let counts = try await ingest.report(try Report(request.points, to: request.groupIds), of: user)
        try await responses.send(ReportSummary(counts))
      }
    }
  }
}

/// Positions that a user reports, and whom they are for.
struct Report: Sendable {
  let points: [ReportedPoint]
  /// The groups that see them; `nil` for all that the user shares with.
  let groupIDs: Set<GroupID>?
  /// The groups as the request names them, for what it says of those that cannot be.
  private let names: [String]

  /// The most positions of one message.
  private static let mostPoints = 500

  init(_ points: [Position], to names: [String]) throws {
    var bad = Violations()
    if points.isEmpty { bad.add("points", "At least one position is required", TrackingReason.pointsRequired) }
    if points.count > Self.mostPoints {
      bad.add("points", "At most \(Self.mostPoints) positions, not \(points.count)", TrackingReason.tooManyPoints)
    }
    let groupIDs = names.isEmpty ? nil : bad.groupIDs(names)
    try bad.check()
    self.points = points.map { ReportedPoint($0) }
    self.groupIDs = groupIDs.map { Set($0) }
    self.names = names
  }

  /// Why the groups cannot be those of a user; `nil` if they can. In an alert all groups see what is reported: then nothing is wrong with them.
  func refusal(for tracker: Tracker) -> Status? {
    guard groupIDs != nil, tracker.alert == nil else { return nil }
    let own = Dictionary(uniqueKeysWithValues: tracker.groups.map { ($0.groupID, $0.status.isShared) })
    let shared = names.map { name in GroupID(name).flatMap { own[$0] } }
    return Self.refusal(TrackingReason.groupNotFound, "There is no such group", of: shared.map { $0 == nil })
      ?? Self.refusal(
        TrackingReason.groupNotShared, "You do not share your position with this group", of: shared.map { $0 == false })
  }

  private static func refusal(_ reason: TrackingReason, _ text: String, of isWrong: [Bool]) -> Status? {
    let violations = isWrong.indices.filter { isWrong[$0] }.map { place in
      BadRequest.FieldViolation(field: "group_ids[\(place)]", description: text, reason: reason.rawValue)
    }
    guard !violations.isEmpty else { return nil }
    var status = Status(reason, text)
    status.details.append(StatusDetail(BadRequest(fieldViolations: violations)))
    return status
  }
}
