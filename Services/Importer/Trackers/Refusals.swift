import FieldViolations
import Identifiers
import ImporterDomain
import OAuth2
import TTRPC
import TandemImporter
import UserCalls

/// The errors of connections and imports: one place for every reason and text.
extension Status {
  static let noSuchTracker = Status(ImporterReason.trackerNotFound, "There is no such tracker")

  static let notConnected = Status(ImporterReason.trackerNotConnected, "The tracker is not connected")

  static let tooManyAttempts = Status(
    ImporterReason.tooManyAttempts, "Too many attempts to connect are open; try again later",
    retryAfter: AuthorizationAttempts.lifetime)

  /// The same error for a state that was never issued, belongs to another user, has expired or was used.
  static let attemptInvalid = Status(
    ImporterReason.attemptInvalid,
    "The connection was not begun here, is over ten minutes old, or has been used; begin again")

  static let consentDenied = Status(ImporterReason.consentDenied, "You did not allow it at the provider")

  static let consentNeeded = Status(ImporterReason.consentNeeded, "Connect the tracker again: its consent has ended")

  static let trackerOfAnother = Status(
    ImporterReason.trackerOfAnother, "Another user has connected this account of the provider")

  static let noSuchImport = Status(ImporterReason.importNotFound, "There is no such import")

  static let webhookUntrusted = Status(ImporterReason.webhookUntrusted, "The call does not prove to be the provider's")

  static let webhookMalformed = Status(ImporterReason.webhookMalformed, "The call is none that the provider documents")

  static func tooManyStreams(_ limit: Int) -> Status {
    Status(
      ImporterReason.tooManyStreams, "You have \(limit) streams of imports open; end one of them first",
      retryAfter: .seconds(1))
  }

  static func importRunning(_ id: ImportID) -> Status {
    Status(
      ImporterReason.importRunning, "An import from this tracker is running", metadata: ["import_id": id.description])
  }

  static func tooManyImports(retryAfter wait: Duration) -> Status {
    Status(
      ImporterReason.tooManyImports, "You have begun many imports of this tracker; try again later", retryAfter: wait)
  }

  static func trackerUnavailable(after wait: Duration) -> Status {
    Status(ImporterReason.trackerUnavailable, "The tracker cannot be used now; try again later", retryAfter: wait)
  }

  /// [IM-5].
  private static let failedImport = ImportWords.message(.failed, .token, missing: 0)

  /// What a failure of the provider's authorization server means to the user.
  static func connection(_ failure: OAuth2Failure) -> Status {
    switch failure {
    case .consentDenied: .consentDenied
    case .grantRefused, .refused: Status(ImporterReason.providerRefused, failedImport)
    case .untrusted: Status(ImporterReason.providerUntrusted, failedImport)
    case .temporary(_, let wait):
      Status(ImporterReason.trackerUnavailable, failedImport, retryAfter: wait ?? .seconds(5))
    }
  }
}

extension Violations {
  /// Parses the id of an import from the field `import_id`.
  mutating func importID(_ text: String) -> ImportID? {
    require("import_id", ImportID(text), "This is not the id of an import", ImporterReason.importIDInvalid)
  }
}
