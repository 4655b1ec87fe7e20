import FieldViolations
import GoogleProtobuf
import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter
import Timestamps
import UserCalls

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
  static let noSuchActivity = Status(ImporterReason.activityNotFound, "There is no such activity")
}

extension HeavyWork.Overloaded: StatusConvertible {
  package var status: Status {
    Status(
      .resourceExhausted, reason: "OVERLOADED", "Too much is being computed; try again shortly",
      retryAfter: .seconds(1))
  }
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
