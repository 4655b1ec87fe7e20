import FieldViolations
import Idempotency
import Identifiers
import ProtobufC
import TTRPC
import TandemTracking
import TrackingDomain

extension CallContext {
  /// The key of a request in which nothing but its id can be wrong; `nil` without one ([C-4]).
  func requestKey(of request: some IdempotentRequest) throws -> RequestKey? {
    var bad = Violations()
    let requestID = bad.requestID(request.requestID)
    try bad.check()
    return requestKey(requestID)
  }
}

extension Violations {
  /// The most groups of one request.
  static let maxGroups = 100

  /// Parses the ids of 1 to 100 groups; repetitions are dropped.
  mutating func groupIDs(_ texts: [String], _ field: String = "group_ids") -> [GroupID]? {
    guard !texts.isEmpty else {
      add(field, "At least one group is required", TrackingReason.groupsRequired)
      return nil
    }
    guard texts.count <= Self.maxGroups else {
      add(field, "At most \(Self.maxGroups) groups", TrackingReason.tooManyGroups)
      return nil
    }
    var ids: [GroupID] = []
    for (place, text) in texts.enumerated() {
      let id = require(
        "\(field)[\(place)]", GroupID(text), "This is not the id of a group", TrackingReason.groupIDInvalid)
      if let id, !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
