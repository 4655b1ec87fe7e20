import Cryptography
import FieldViolations
import WorkerPool
import struct GoogleRPC.BadRequest
import IdentityDomain
import TTRPC

/// The errors of the service's rules: reason and message of each.
extension Status {
  static let starting = Status.unavailable("The service is starting")

  static let callerNotAService = Status(
    .permissionDenied, reason: "SERVICE_TOKEN_REQUIRED", "Only services of the suite may call this method")

  /// Cannot happen behind `Authentication`, which requires a user's token.
  static let notAUser = Status(.unauthenticated, reason: "TOKEN_INVALID", "The access token is not a user's")

  static let concurrentChange = Status(
    .aborted, reason: "CONCURRENT_CHANGE", "Somebody changed the same thing; try again", retryAfter: .zero)

  static let emailRegistered = "EMAIL_REGISTERED"

  /// [ID-2]. Has a violation for every name that is taken; the message is that of the first.
  static func taken(email: Bool, username: Bool) -> Status {
    let violations =
      (email ? [("email", emailRegistered, "The email address is already registered")] : [])
      + (username ? [("username", "USERNAME_TAKEN", "The username is already taken")] : [])
    guard let (_, reason, text) = violations.first else {
      return concurrentChange
    }
    var status = Status(.alreadyExists, reason: reason, text)
    status.details.append(
      StatusDetail(
        BadRequest(fieldViolations: violations.map { .init(field: $0.0, description: $0.2, reason: $0.1) })))
    return status
  }

  /// [ID-1].
  static let emailNotVerified = Status(
    .failedPrecondition, reason: "EMAIL_NOT_VERIFIED",
    "The email address is not verified yet: follow the link in the mail, or ask for another one")

  /// Returned only to a caller who knows the password or has the passkey.
  static let accountLocked = Status(
    .permissionDenied, reason: "ACCOUNT_LOCKED", "The account is locked; ask those who operate the service")

  /// [ID-5].
  static let incorrectCredentials = Status(
    .unauthenticated, reason: "CREDENTIALS_INCORRECT", "Incorrect username or password")

  /// [ID-13].
  static let passwordIncorrect = Status(
    .permissionDenied, reason: "PASSWORD_INCORRECT", "The password is not right")

  /// [ID-8].
  static let unknownEmail = Status(.notFound, reason: "EMAIL_NOT_FOUND", PasswordReset.unknownEmail)

  /// [ID-6]. The same error for a token that was never issued and one that has expired.
  static let refreshTokenInvalid = Status(
    .unauthenticated, reason: "REFRESH_TOKEN_INVALID", "The refresh token is not valid; log in again")

  /// [ID-6]. Another use of the token won the race; the session continues with the winner's pair.
  static let refreshTokenUsed = Status(
    .unauthenticated, reason: "REFRESH_TOKEN_USED", "Another request used the refresh token at the same time")

  /// [ID-6].
  static let sessionRevoked = Status(.unauthenticated, reason: "SESSION_REVOKED", "The session has ended; log in again")

  /// [ID-7]. The same error for another user's session, one that has ended and one that never existed.
  static let noSuchSession = Status(.notFound, reason: "SESSION_NOT_FOUND", "You have no such session")

  /// [ID-20].
  static let profileExists = Status(.alreadyExists, reason: "PROFILE_EXISTS", "You have a profile already")

  /// [ID-24].
  static let noSuchUser = Status(.notFound, reason: "USER_NOT_FOUND", "There is no such person")

  /// [ID-26].
  static let tooManyBlocked = Status(
    .failedPrecondition, reason: "TOO_MANY_BLOCKED", "You have blocked as many people as somebody can block")

  /// A new key must be published long enough for every service to fetch it before another is made.
  static func rotationUnderWay(retryAfter: Duration) -> Status {
    Status(
      .failedPrecondition, reason: "ROTATION_UNDER_WAY", "Another key is about to take over already",
      retryAfter: retryAfter)
  }

  /// [ID-41]. The same error for another user's group and one that does not exist.
  static let notAMember = Status(.permissionDenied, reason: "NOT_A_MEMBER", "You are not a member of the group")

  /// [ID-42].
  static let noSuchMember = Status(.notFound, reason: "MEMBER_NOT_FOUND", "The person is not a member of the group")

  /// [C-11].
  static let groupEtagMismatch = Status(
    .aborted, reason: "ETAG_MISMATCH", "The group was renamed meanwhile; read it again and repeat the change")

  /// [ID-22].
  static let profileMissing = Status(.notFound, reason: "PROFILE_MISSING", "You have no profile yet")

  /// [ID-62].
  static let noSuchDevice = Status(.notFound, reason: "DEVICE_NOT_FOUND", "You have no such device")

  /// [ID-25].
  static let pictureMissing = Status(.notFound, reason: "PICTURE_MISSING", "There is no picture")

  /// [ID-25], [C-11].
  static let pictureEtagMismatch = Status(
    .aborted, reason: "ETAG_MISMATCH", "The picture was changed meanwhile; read it again and repeat the change")

  /// [C-11].
  static let etagMismatch = Status(
    .aborted, reason: "ETAG_MISMATCH", "The profile was changed meanwhile; read it again and repeat the change")
}

extension BoundedPool.Overloaded: StatusConvertible {
  public var status: Status {
    Status(
      .resourceExhausted, reason: "OVERLOADED", "Too many passwords are being checked; try again shortly",
      retryAfter: .seconds(1))
  }
}

extension BadFields {
  /// [ID-4]. The token was never issued, or a newer one replaced it.
  static let unknownVerificationToken = BadFields(
    "token", "The verification token is not valid; ask for another mail", "VERIFICATION_TOKEN_INVALID")
}

extension BadFields {
  /// [ID-8]. The token was never issued, or a newer one replaced it.
  static let unknownResetToken = BadFields(
    "token", "The link is not valid; ask for another mail", "RESET_TOKEN_INVALID")
}

extension PasswordReset.TokenRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .used:
      Status(.failedPrecondition, reason: "RESET_TOKEN_USED", "The link was used before; ask for another mail")
    case .expired:
      Status(.failedPrecondition, reason: "RESET_TOKEN_EXPIRED", "The link has expired; ask for another mail")
    }
  }
}

extension Verification.TokenRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .used:
      Status(.failedPrecondition, reason: "VERIFICATION_TOKEN_USED", "The verification token was used before")
    case .expired:
      Status(
        .failedPrecondition, reason: "VERIFICATION_TOKEN_EXPIRED",
        "The verification token has expired; ask for another mail")
    }
  }
}

extension Verification.ResendRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .tooSoon(let retryAfter):
      Status(
        .resourceExhausted, reason: "VERIFICATION_COOLDOWN", "A mail was asked for less than a minute ago",
        retryAfter: retryAfter)
    case .alreadyVerified:
      Status(.failedPrecondition, reason: "EMAIL_ALREADY_VERIFIED", "The email address is verified already")
    }
  }
}
