import FieldViolations
import GoogleProtobuf
import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter
import Timestamps

extension CallContext {
  /// The caller of a method whose access is `user`.
  var userID: UserID {
    get throws(Status) {
      guard let caller, let id = UserID(caller.subject) else { throw .notAUser }
      return id
    }
  }
}

extension Violations {
  /// Parses the id of an activity from the field `activity_id`.
  mutating func activityID(_ text: String) -> ActivityID? {
    require(
      "activity_id", ActivityID(text), "This is not the id of an activity", ImporterReason.activityIDInvalid)
  }

  /// Parses a time.
  mutating func time(_ wire: Timestamp, _ field: String) -> Instant? {
    require(field, Instant(valid: wire), "The time must be within the years 1 to 9999", ImporterReason.timeInvalid)
  }

  /// Parses the id of a source from the field `source_id`.
  mutating func sourceID(_ text: String) -> SourceID? {
    require("source_id", SourceID(text), "This is not the id of a source", ImporterReason.sourceIDInvalid)
  }
}

extension Status {
  /// The user deleted the account a moment ago, or the token does not belong to a user.
  static let notAUser = Status(
    .unauthenticated, reason: "TOKEN_INVALID", "The access token is not that of a user with an account")

  static let noSuchActivity = Status(ImporterReason.activityNotFound, "There is no such activity")
}

extension RecordsBusy: StatusConvertible {
  package var status: Status {
    Status(
      ImporterReason.recordsBusy, "Another change of your records is under way; try again shortly",
      retryAfter: .seconds(2))
  }
}

extension StorageUse.Excess: StatusConvertible {
  package var status: Status {
    Status(
      ImporterReason.storageQuotaExceeded, "This is more than may be stored of you: at most \(most) \(kind)",
      metadata: ["kind": kind, "limit": "\(most)"])
  }
}
