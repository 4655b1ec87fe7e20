import FieldViolations
import GoogleProtobuf
import Identifiers
import ImporterDomain
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

  /// Parses the id of an import from the field `import_id`.
  mutating func importID(_ text: String) -> ImportID? {
    require("import_id", ImportID(text), "This is not the id of an import", ImporterReason.importIDInvalid)
  }

  /// Parses the id of a source from the field `source_id`.
  mutating func sourceID(_ text: String) -> SourceID? {
    require("source_id", SourceID(text), "This is not the id of a source", ImporterReason.sourceIDInvalid)
  }
}

extension BadFields {
  static var unknownZone: BadFields {
    BadFields("time_zone", "This is not the name of a time zone", ImporterReason.timeZoneUnknown)
  }
}
