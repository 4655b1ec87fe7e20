/// The kind of a notification, as stored and as chosen in preferences.
public enum NotificationKind: String, Sendable, Hashable, CaseIterable {
  case groupJoined = "GROUP_JOINED"
  case groupMemberAdded = "GROUP_MEMBER_ADDED"
  case gymReminder = "GYM_REMINDER"
  case sessionCancelled = "SESSION_CANCELLED"
  case partnerCheckedIn = "PARTNER_CHECKED_IN"
  case sessionStarted = "SESSION_STARTED"
  case checkInMissed = "CHECK_IN_MISSED"
  case sessionReminder = "SESSION_REMINDER"
  case bookRequested = "BOOK_REQUESTED"
  case requestDeclined = "REQUEST_DECLINED"
  case requestAccepted = "REQUEST_ACCEPTED"
  case loanDue = "LOAN_DUE"
  case loanOverdue = "LOAN_OVERDUE"
  case loanRecalled = "LOAN_RECALLED"
  case loanCancelled = "LOAN_CANCELLED"
  case pickupChanged = "PICKUP_CHANGED"
  case sosStarted = "SOS_STARTED"
  case sosStopped = "SOS_STOPPED"
  case journeyStarted = "JOURNEY_STARTED"
  case journeyEnded = "JOURNEY_ENDED"
  case arrivedOnTime = "ARRIVED_ON_TIME"
  case arrivedLate = "ARRIVED_LATE"
  case standingStill = "STANDING_STILL"
  case notArrived = "NOT_ARRIVED"
  case wentOffline = "WENT_OFFLINE"
  case chatMessage = "CHAT_MESSAGE"
  case importEnded = "IMPORT_ENDED"
  case badgeAwarded = "BADGE_AWARDED"
  case groupInvited = "GROUP_INVITED"
  case placeOffered = "PLACE_OFFERED"
  case sessionFound = "SESSION_FOUND"
  case sessionNotRepeated = "SESSION_NOT_REPEATED"
  case placeReached = "PLACE_REACHED"
  case placeLeft = "PLACE_LEFT"
  case welcome = "WELCOME"
  case sessionMatched = "SESSION_MATCHED"
  case partnerMissed = "PARTNER_MISSED"
  case sessionLapsed = "SESSION_LAPSED"
  case sessionExcused = "SESSION_EXCUSED"
  case sessionEnded = "SESSION_ENDED"
  case placeWithdrawn = "PLACE_WITHDRAWN"
  case pickupNamed = "PICKUP_NAMED"
  case returnConfirmed = "RETURN_CONFIRMED"
  case loanLastCall = "LOAN_LAST_CALL"
  case loanDeclaredLost = "LOAN_DECLARED_LOST"
  case loanDeclaredReturned = "LOAN_DECLARED_RETURNED"
  case sosWentOffline = "SOS_WENT_OFFLINE"

  /// The channels beside the inbox for users without a preference ([ID-61]): mail for what cannot wait until the app is
  /// opened again, or concerns other users' time and property; pushes for everything.
  public var defaultChannels: Channels {
    switch self {
    case .groupInvited, .sessionCancelled, .partnerCheckedIn, .checkInMissed, .bookRequested, .requestAccepted,
      .loanDue, .loanOverdue, .loanRecalled, .loanCancelled, .pickupChanged, .sosStarted, .sosWentOffline, .notArrived,
      .sessionNotRepeated, .sessionMatched, .partnerMissed, .sessionExcused, .sessionEnded, .pickupNamed,
      .returnConfirmed, .loanLastCall, .loanDeclaredLost, .loanDeclaredReturned:
      [.mail, .push]
    case .groupJoined, .groupMemberAdded, .gymReminder, .sessionStarted, .sessionReminder, .requestDeclined,
      .sosStopped,
      .journeyStarted, .journeyEnded, .arrivedOnTime, .arrivedLate, .standingStill, .wentOffline, .chatMessage,
      .importEnded, .badgeAwarded, .placeOffered, .sessionFound, .placeReached, .placeLeft, .welcome, .sessionLapsed,
      .placeWithdrawn:
      [.push]
    }
  }

  /// Channels that no preference switches off: the mail belongs to what the user agreed to ([MA-9]).
  public var fixedChannels: Channels { self == .partnerCheckedIn ? .mail : [] }

  /// The name of the kind in a sentence such as "mail about …".
  public var topic: String {
    switch self {
    case .groupInvited: "groups you are invited to"
    case .groupJoined: "groups you join"
    case .groupMemberAdded: "people who join groups by your invitation"
    case .gymReminder: "your daily reminder"
    case .sessionCancelled: "cancelled sessions"
    case .partnerCheckedIn: "partners who have checked in"
    case .sessionStarted: "sessions that start"
    case .checkInMissed: "missed check-ins"
    case .sessionReminder: "sessions that are about to start"
    case .sessionMatched: "partners who join your sessions"
    case .partnerMissed: "partners who did not come"
    case .sessionLapsed: "sessions that found no partner"
    case .sessionExcused: "sessions that do not count"
    case .sessionEnded: "sessions that ended with an account"
    case .placeWithdrawn: "sessions you waited for"
    case .placeOffered: "places in sessions you wait for"
    case .sessionFound: "sessions that fit your saved searches"
    case .sessionNotRepeated: "weekly sessions that are left out"
    case .bookRequested: "requests for your books"
    case .requestDeclined: "declined requests"
    case .requestAccepted: "accepted requests"
    case .loanDue: "loans that are due"
    case .loanOverdue: "overdue loans"
    case .loanRecalled: "books asked back"
    case .loanCancelled: "cancelled loans"
    case .pickupChanged: "changed pickup places"
    case .pickupNamed: "named pickup places"
    case .returnConfirmed: "returns to confirm"
    case .loanLastCall: "books that may soon be declared lost"
    case .loanDeclaredLost, .loanDeclaredReturned: "loans that were ended by declaration"
    case .sosStarted, .sosStopped, .sosWentOffline: "SOS alerts"
    case .journeyStarted, .journeyEnded, .arrivedOnTime, .arrivedLate, .standingStill, .notArrived, .wentOffline:
      "journeys"
    case .placeReached, .placeLeft: "arrivals and departures"
    case .chatMessage: "chat messages"
    case .importEnded: "imports"
    case .badgeAwarded: "badges"
    case .welcome: "your account"
    }
  }
}

/// Channels beside the inbox by which notifications reach a user.
public struct Channels: OptionSet, Sendable, Hashable {
  /// One bit for each channel.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Mail to the account's verified address.
  public static let mail = Channels(rawValue: 1)
  /// A push to each of the account's devices.
  public static let push = Channels(rawValue: 2)
}
