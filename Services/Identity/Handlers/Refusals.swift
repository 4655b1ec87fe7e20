import Cryptography
import FieldViolations
import IdentityDomain
import IdentityOperations
import TTRPC
import TandemIdentity
import TandemNotification
import UserCalls
import UserTokens
import WorkerPool
import struct GoogleRPC.BadRequest

/// The errors of the service's rules: reason and message of each.
extension Status {
  /// [ID-1].
  static let emailNotVerified = Status(
    IdentityReason.emailNotVerified,
    "The email address is not verified yet: follow the link in the mail, or ask for another one")

  /// Returned only to a caller who knows the password or has the passkey.
  static let accountLocked = Status(
    IdentityReason.accountLocked, "The account is locked; ask those who operate the service")

  /// [ID-5].
  static let incorrectCredentials = Status(IdentityReason.credentialsIncorrect, "Incorrect username or password")

  /// [ID-13].
  static let passwordIncorrect = Status(IdentityReason.passwordIncorrect, "The password is not right")

  /// [ID-8].
  static let unknownEmail = Status(IdentityReason.emailNotFound, PasswordReset.unknownEmail)

  /// [ID-6]. The same error for a token that was never issued and one that has expired.
  static let refreshTokenInvalid = Status(
    IdentityReason.refreshTokenInvalid, "The refresh token is not valid; log in again")

  /// [ID-6]. Another use of the token won the race; the session continues with the winner's pair.
  static let refreshTokenUsed = Status(
    IdentityReason.refreshTokenUsed, "Another request used the refresh token at the same time")

  /// [ID-6].
  static let sessionRevoked = Status(IdentityReason.sessionRevoked, "The session has ended; log in again")

  /// [ID-7]. The same error for another user's session, one that has ended and one that never existed.
  static let noSuchSession = Status(IdentityReason.sessionNotFound, "You have no such session")

  /// [ID-20].
  static let gymProfileExists = Status(IdentityReason.gymProfileExists, "Your profile has a gym part already")

  /// [ID-20].
  static let gymProfileMissing = Status(
    IdentityReason.gymProfileMissing, "Your profile has no gym part yet: create it with all of its fields")

  /// [ID-24].
  static let noSuchUser = Status(IdentityReason.userNotFound, "There is no such person")

  /// [ID-62].
  static let noSuchDevice = Status(NotificationReason.deviceNotFound, "You have no such device")

  /// [ID-25].
  static let pictureMissing = Status(IdentityReason.pictureMissing, "There is no picture")

  /// [ID-25], [C-11].
  static let pictureEtagMismatch = Status(
    IdentityReason.etagMismatch, "The picture was changed meanwhile; read it again and repeat the change")

  /// [C-11].
  static let etagMismatch = Status(
    IdentityReason.etagMismatch, "The profile was changed meanwhile; read it again and repeat the change")
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
    "token", "The verification token is not valid; ask for another mail", IdentityReason.verificationTokenInvalid)
}

extension BadFields {
  /// [ID-8]. The token was never issued, or a newer one replaced it.
  static let unknownResetToken = BadFields(
    "token", "The link is not valid; ask for another mail", IdentityReason.resetTokenInvalid)
}

extension BadFields {
  /// [ID-15]. The token was never issued, a newer request replaced it, or the account was deleted.
  static let unknownEmailChangeToken = BadFields(
    "token", "The link is not valid; ask for another mail", IdentityReason.emailChangeTokenInvalid)

  /// [ID-15].
  static let emailUnchanged = BadFields("email", "This is your email address already", IdentityReason.emailUnchanged)
}

extension Violations {
  /// Adds a violation for a username that would mislead others ([ID-2]).
  mutating func refuse(_ username: Username?, reservedBy reserved: ReservedUsernames) {
    guard let username, reserved.contains(username) else { return }
    add("username", ReservedUsernames.refusal, IdentityReason.usernameReserved)
  }
}

extension EmailChange.TokenRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .used:
      Status(IdentityReason.emailChangeTokenUsed, "The link was used before")
    case .expired:
      Status(IdentityReason.emailChangeTokenExpired, "The link has expired")
    }
  }
}

extension PasswordReset.TokenRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .used:
      Status(IdentityReason.resetTokenUsed, "The link was used before; ask for another mail")
    case .expired:
      Status(IdentityReason.resetTokenExpired, "The link has expired; ask for another mail")
    }
  }
}

extension Verification.TokenRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .used:
      Status(IdentityReason.verificationTokenUsed, "The verification token was used before")
    case .expired:
      Status(IdentityReason.verificationTokenExpired, "The verification token has expired; ask for another mail")
    }
  }
}

extension Verification.ResendRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .tooSoon(let retryAfter):
      Status(
        IdentityReason.verificationCooldown, "A mail was asked for less than a minute ago",
        retryAfter: retryAfter)
    }
  }
}

/// [ID-2]. Has a violation for every name that is taken; the reason and message are those of the first.
extension NamesTaken: StatusConvertible {
  public var status: Status {
    let names: [(field: String, reason: IdentityReason, text: String)] =
      (email ? [("email", .emailRegistered, "The email address is already registered")] : [])
      + (username ? [("username", .usernameTaken, "The username is already taken")] : [])
    guard let first = names.first else { return .concurrentChange }
    var status = Status(first.reason, first.text)
    let violations = names.map {
      BadRequest.FieldViolation(field: $0.field, description: $0.text, reason: $0.reason.rawValue)
    }
    status.details.append(StatusDetail(BadRequest(fieldViolations: violations)))
    return status
  }
}

extension GroupRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    // The same for another user's group and one that does not exist.
    case .notAMember: Status(IdentityReason.notAMember, "You are not a member of the group")
    case .noSuchMember: Status(IdentityReason.memberNotFound, "The person is not a member of the group")
    // The same for one that is not open any more and for another user's.
    case .noSuchInvitation:
      Status(IdentityReason.invitationNotFound, "There is no such invitation: it is not open any more, or not yours")
    case .unknownEmail: .unknownEmail
    case .renamedMeanwhile:
      Status(IdentityReason.etagMismatch, "The group was renamed meanwhile; read it again and repeat the change")
    }
  }
}

extension SafetyRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchUser: .noSuchUser
    case .tooManyBlocked: Status(IdentityReason.tooManyBlocked, "You have blocked as many people as a user can")
    }
  }
}

extension KeyRotationRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .underWay(let retryAfter):
      Status(
        IdentityReason.rotationUnderWay, "Another key is about to take over already", retryAfter: retryAfter)
    }
  }
}

extension IdentityFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .changedMeanwhile: .concurrentChange
    case .sessionEnded: TokenRefusal.revoked.status
    case .starting: .starting
    }
  }
}

extension Membership.JoinRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .groupFull: .groupFull
    case .tooManyGroups:
      Status(IdentityReason.tooManyGroups, "You are in as many groups as a person can be")
    }
  }
}

extension Invitation.Refusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .alreadyMember: Status(IdentityReason.alreadyAMember, "already a group member")
    case .groupFull: .groupFull
    case .alreadyInvited: Status(IdentityReason.alreadyInvited, "already invited")
    case .invitedRecently:
      Status(
        IdentityReason.invitedRecently, "The person was invited to the group not long ago, and cannot be again yet")
    case .tooManyOpen:
      Status(
        IdentityReason.tooManyOpenInvitations,
        "As many of your invitations are open as may be; wait for answers, or withdraw some")
    }
  }
}

extension Status {
  fileprivate static let groupFull = Status(
    IdentityReason.groupFull, "The group has as many members as a group can have")
}

/// [ID-10], [ID-8], [ID-17]. The same error whether or not the account exists.
extension Throttled: StatusConvertible {
  public var status: Status {
    let (reason, text): (IdentityReason, String) =
      switch kind {
      case .loginName, .loginDevice:
        (.loginLocked, "Too many wrong passwords; try again later, or reset the password")
      case .loginAddress: (.addressThrottled, "Too many wrong passwords from this address; try again later")
      case .resetEmail: (.resetThrottled, "Too many mails were asked for; look for the last one, or try again later")
      case .resetAddress: (.addressThrottled, "Too many mails were asked for from this address; try again later")
      case .registerAddress:
        (.addressThrottled, "Too many registered addresses were tried from this address; try again later")
      case .federatedStart:
        (.addressThrottled, "Too many logins were begun from this address; try again later")
      case .registrationAddress:
        (.addressThrottled, "Too many accounts were registered from this address; try again later")
      case .resendAddress: (.addressThrottled, "Too many mails were asked for from this address; try again later")
      case .resendEmail:
        (.verificationCooldown, "Too many mails were asked for; look for the last one, or try again later")
      case .passkeyStartAddress: (.addressThrottled, "Too many passkeys were asked for from this address; try again")
      case .refusedPasswordAddress:
        (.addressThrottled, "Too many new passwords from this address were refused; try again later")
      case .registrationDomain, .resendDomain, .resetDomain:
        (.domainThrottled, "Too many mails were asked for to addresses of this domain; try again later")
      case .registrationAll: (.serviceThrottled, "Too many accounts are being registered; try again later")
      case .resendAll, .resetAll: (.serviceThrottled, "Too many mails are being asked for; try again later")
      case .passkeyStartAll: (.serviceThrottled, "Too many passkeys are being asked for; try again shortly")
      case .report: (.tooManyReports, "You have sent many reports today; try again later")
      case .emailChange, .emailChangeTarget:
        (.emailChangeThrottled, "Too many mails were asked for; look for the last one, or try again tomorrow")
      case .usernameChange: (.tooManyUsernames, "You have changed your username often; try again later")
      case .strangerAdded: (.tooManyStrangers, "Too many of the addresses are unknown; try again later")
      case .invitation: (.tooManyInvitations, "You have invited many people today; try again later")
      }
    return Status(reason, text, retryAfter: retryAfter)
  }
}
