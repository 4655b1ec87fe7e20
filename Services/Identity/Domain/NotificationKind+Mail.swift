extension NotificationKind {
  /// The subject of mails about the kind: fixed, because a subject with text of other users is a letter of theirs under
  /// the service's name ([ID-44]).
  public var mailSubject: String {
    switch self {
    case .groupInvited: "You are invited to a group"
    case .groupJoined: "You joined a group"
    case .groupMemberAdded: "Your invitation to a group was accepted"
    case .gymReminder: "Time for the gym"
    case .sessionCancelled: "Your session was cancelled"
    case .partnerCheckedIn: "Your partner has checked in"
    case .sessionStarted: "Your session starts"
    case .checkInMissed: "You did not check in"
    case .sessionReminder: "Your session starts in an hour"
    case .placeOffered: "A place is free"
    case .sessionFound: "A session that you might like"
    case .sessionNotRepeated: "Your weekly session was left out"
    case .bookRequested: "One of your books is asked for"
    case .requestDeclined: "Your request for a book was declined"
    case .requestAccepted: "You may borrow a book"
    case .loanDue: "A book is due tomorrow"
    case .loanOverdue: "A book is overdue"
    case .loanRecalled: "A book is asked back"
    case .loanCancelled: "The loan of a book was cancelled"
    case .pickupChanged: "The place of a pickup has changed"
    case .sosStarted: "SOS alert"
    case .sosStopped: "SOS alarm stopped"
    case .sosWentOffline: "SOS alert: offline"
    case .journeyStarted, .journeyEnded, .arrivedOnTime, .arrivedLate: "Journey"
    case .standingStill, .notArrived, .wentOffline: "Journey: please check"
    case .placeReached: "A member of your group has arrived"
    case .placeLeft: "A member of your group has left"
    case .chatMessage: "New message"
    case .importEnded: "Your import has ended"
    case .badgeAwarded: "You have a new badge"
    }
  }
}
