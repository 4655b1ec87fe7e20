import FieldViolations
import FileContents
import ImporterDomain
import ImporterOperations
import OAuth2
import TTRPC
import TandemImporter
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension ActivityRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchActivity: Status(ImporterReason.activityNotFound, "There is no such activity")
    case .noSuchSource: Status(ImporterReason.sourceNotFound, "The activity has no such source")
    case .onlySource: Status(ImporterReason.onlySource, "The activity has no other source")
    case .noSuchShare: Status(ImporterReason.shareNotFound, "The link leads nowhere")
    case .tooManyShares:
      Status(ImporterReason.tooManyShares, "The activity has as many links as any can have; revoke one")
    }
  }
}

extension StorageUse.Excess: StatusConvertible {
  package var status: Status {
    Status(
      ImporterReason.storageQuotaExceeded, "This is more than may be stored of you: at most \(most) \(kind)",
      metadata: ["kind": kind, "limit": "\(most)"])
  }
}

extension RecordsBusy: StatusConvertible {
  package var status: Status {
    Status(
      ImporterReason.recordsBusy, "Another change of your records is under way; try again shortly",
      retryAfter: .seconds(2))
  }
}

extension HeavyWork.Overloaded: StatusConvertible {
  package var status: Status {
    Status(
      .resourceExhausted, reason: "OVERLOADED", "Too much is being computed; try again shortly",
      retryAfter: .seconds(1))
  }
}

extension FileImportRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .quotaReached(let wait):
      Status(ImporterReason.uploadQuotaReached, "You have uploaded many files; try again later", retryAfter: wait)
    case .unknownZone: BadFields.unknownZone.status
    case .tooManyUploads:
      Status(
        ImporterReason.tooManyUploads, "Too many files are being read; try again shortly", retryAfter: .seconds(5))
    case .idle: Status(ImporterReason.uploadIdle, "Nothing was sent for too long")
    case .tooSlow: Status(ImporterReason.uploadTooSlow, "The file did not arrive in time")
    case .broken(let fault): BadFields("chunk", fault.sentence, fault.reason).status
    case .noAccount: .notAUser
    }
  }
}

extension FileReaderFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .killed:
      // The file is read once others have given their memory back.
      Status(
        ImporterReason.tooManyUploads, "There was no memory left to read the file; try again shortly",
        retryAfter: .seconds(30))
    case .notStarted: Status(.internal, reason: "INTERNAL", "Files cannot be read at the moment")
    }
  }
}

extension ActivityFileFault {
  /// What is wrong, and where.
  fileprivate var sentence: String {
    let place = line > 0 ? "line \(line), byte \(offset)" : "byte \(offset)"
    return message + " (\(place)" + (member.isEmpty ? ")" : " of \(member))")
  }

  fileprivate var reason: ImporterReason {
    switch kind {
    case .unsupported: .fileUnsupported
    case .broken: .fileBroken
    case .tooLong: .fileTooLong
    case .tooMuch: .fileTooMuch
    }
  }
}

extension TrackerRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchTracker: Status(ImporterReason.trackerNotFound, "There is no such tracker")
    case .notConnected: Status(ImporterReason.trackerNotConnected, "The tracker is not connected")
    case .consentNeeded: Status(ImporterReason.consentNeeded, "Connect the tracker again: its consent has ended")
    case .tooManyAttempts:
      Status(
        ImporterReason.tooManyAttempts, "Too many attempts to connect are open; try again later",
        retryAfter: AuthorizationAttempts.lifetime)
    case .attemptInvalid:
      // The same for a state that was never issued, belongs to another user, has expired or was used.
      Status(
        ImporterReason.attemptInvalid,
        "The connection was not begun here, is over ten minutes old, or has been used; begin again")
    case .trackerOfAnother:
      Status(ImporterReason.trackerOfAnother, "Another user has connected this account of the provider")
    case .noSuchImport: Status(ImporterReason.importNotFound, "There is no such import")
    case .importRunning(let id):
      Status(
        ImporterReason.importRunning, "An import from this tracker is running",
        metadata: ["import_id": id.description])
    case .tooManyImports(let wait):
      Status(
        ImporterReason.tooManyImports, "You have begun many imports of this tracker; try again later",
        retryAfter: wait)
    case .unavailable(let wait):
      Status(
        ImporterReason.trackerUnavailable, "The tracker cannot be used now; try again later", retryAfter: wait)
    case .webhookUntrusted:
      Status(ImporterReason.webhookUntrusted, "The call does not prove to be the provider's")
    case .webhookMalformed: Status(ImporterReason.webhookMalformed, "The call is none that the provider documents")
    }
  }
}

extension TrackerFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    }
  }
}

extension Status {
  static func tooManyStreams(_ limit: Int) -> Status {
    Status(
      ImporterReason.tooManyStreams, "You have \(limit) streams of imports open; end one of them first",
      retryAfter: .seconds(1))
  }

  /// [IM-5].
  private static let failedImport = ImportWords.message(.failed, .token, missing: 0)

  /// What a failure of the provider's authorization server means to the user.
  static func connection(_ failure: OAuth2Failure) -> Status {
    switch failure {
    case .consentDenied: Status(ImporterReason.consentDenied, "You did not allow it at the provider")
    case .grantRefused, .refused: Status(ImporterReason.providerRefused, failedImport)
    case .untrusted: Status(ImporterReason.providerUntrusted, failedImport)
    case .temporary(_, let wait):
      Status(ImporterReason.trackerUnavailable, failedImport, retryAfter: wait ?? .seconds(5))
    }
  }
}
