import FieldViolations
import Images
public import TTRPC

extension UnsupportedImage: StatusConvertible {
  /// INVALID_ARGUMENT `UNSUPPORTED_IMAGE` for the uploaded file ([ID-25]).
  public var status: Status { BadFields("chunk", sentence, "UNSUPPORTED_IMAGE").status }

  private var sentence: String {
    switch self {
    case .tooLong: "The picture must not be larger than 5 MiB"
    case .otherFormat: "The picture must be a JPEG, PNG or WebP file"
    case .tooManyPixels: "The picture must not have more than 50 megapixels"
    // A more exact reason would help only an attacker.
    case .unreadable, .deadly, .endless: "The picture cannot be read"
    }
  }
}

extension ImageDecoderFailure: StatusConvertible {
  /// The status for the caller; the log has the cause.
  public var status: Status {
    switch self {
    case .overloaded: .tooManyUploads
    case .unfit: Status(.internal, reason: "INTERNAL", "Pictures cannot be taken at the moment")
    }
  }
}

extension Status {
  static let tooManyUploads = Status(
    .resourceExhausted, reason: "TOO_MANY_UPLOADS", "Too many pictures are being uploaded; try again shortly",
    retryAfter: .seconds(2))

  static func uploadQuotaReached(retryAfter: Duration) -> Status {
    Status(
      .resourceExhausted, reason: "UPLOAD_QUOTA_REACHED", "You have uploaded many pictures; try again later",
      retryAfter: retryAfter)
  }

  static let uploadTooSlow = Status(
    .deadlineExceeded, reason: "UPLOAD_TOO_SLOW", "The picture did not arrive in time")

  /// The picture was deleted or replaced while it was being read.
  static let pictureChanged = Status(
    .aborted, reason: "PICTURE_CHANGED", "The picture was changed meanwhile; read it again", retryAfter: .zero)
}
