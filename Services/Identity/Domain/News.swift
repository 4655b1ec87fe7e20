import Identifiers
import VisibleText

/// An event that users are notified of, one case for each notification in the rules, with the facts that its text
/// needs. A user in it is given by id: their name is inserted when the text is read ([C-9]).
public enum News: Sendable, Hashable {
  /// [ID-44] Sent to the invitee. One stands for several invitations, so it names none.
  case groupInvited
  /// [ID-41] Sent to the user who joined, `by` the invitation of another.
  case groupJoined(group: String, by: UserID)
  /// [ID-41] Sent to the user who invited the member.
  case groupMemberAdded(group: String, member: UserID)
  /// [ID-63] `time` is the local time, such as 18:30.
  case gymReminder(time: String)
  /// [MA-6] `start` is when the session would have started, in the reader's zone.
  case sessionCancelled(partner: UserID, start: String)
  /// [MA-9]
  case partnerCheckedIn(partner: UserID, gym: String)
  /// [MA-9]
  case sessionStarted(partner: UserID, gym: String)
  /// [MA-10] `end` is when the bar ends, in the reader's zone.
  case checkInMissed(end: String)
  /// [MA-12]
  case sessionReminder(partner: UserID, gym: String)
  /// [MA-15] A session that was matched within its last hour; `start` is in the reader's zone.
  case sessionSoon(partner: UserID, start: String, gym: String)
  /// [MA-15] Sent to the poster; `start` is in the reader's zone.
  case sessionMatched(partner: UserID, start: String, gym: String)
  /// [MA-10] Sent to the partner who was there; `start` is in the reader's zone.
  case partnerMissed(partner: UserID, start: String, gym: String)
  /// [MA-10] `start` is in the reader's zone.
  case sessionLapsed(start: String, gym: String)
  /// [MA-10] `start` is in the reader's zone.
  case sessionExcused(start: String, gym: String)
  /// [C-9] `start` is in the reader's zone. The partner has no account any more, and no name.
  case sessionEnded(start: String, gym: String)
  /// [MA-17] Sent to users who waited; `start` is in the reader's zone.
  case placeWithdrawn(start: String, gym: String)
  /// Sent to the user whose turn it is in a waiting list; `start` is in the reader's zone.
  case placeOffered(start: String, gym: String)
  /// Sent to users with a saved search; `start` is in the reader's zone.
  case sessionFound(start: String, gym: String)
  /// `start` is when the session would have started, in the reader's zone.
  case sessionNotRepeated(start: String, gym: String)
  /// [LE-1]
  case bookRequested(title: String, by: UserID)
  /// [LE-4] [LE-7]
  case requestDeclined(title: String)
  /// [LE-7]
  case requestAccepted(title: String, owner: UserID)
  /// [LE-12]
  case loanDue(title: String)
  /// [LE-12]
  case loanOverdue(title: String)
  /// [LE-12]
  case loanRecalled(title: String, owner: UserID)
  /// [LE-14] Sent to the other party, owner or borrower.
  case loanCancelled(title: String, by: UserID)
  /// [LE-8] The place itself is in the loan.
  case pickupChanged(title: String, owner: UserID)
  /// [LE-8] As ``pickupChanged(title:owner:)``, for the first place.
  case pickupNamed(title: String, owner: UserID)
  /// [LE-10] Sent to the party who has not confirmed the return.
  case returnConfirmed(title: String, by: UserID)
  /// [LE-12]
  case loanLastCall(title: String, owner: UserID)
  /// [LE-12]
  case loanDeclaredLost(title: String, owner: UserID)
  /// [LE-10] Sent to the other party, owner or borrower.
  case loanDeclaredReturned(title: String, by: UserID)
  /// [TR-5]
  case sosStarted(name: UserID)
  /// [TR-5]
  case sosStopped(name: UserID)
  /// [TR-6]
  case journeyStarted(name: UserID)
  /// [TR-6]
  case journeyEnded(name: UserID)
  /// [TR-7]
  case arrivedOnTime(name: UserID)
  /// [TR-7]
  case arrivedLate(name: UserID)
  /// [TR-8]
  case standingStill(name: UserID)
  /// [TR-9]
  case notArrived(name: UserID)
  /// [TR-10] On a journey.
  case wentOffline(name: UserID)
  /// [TR-10] In SOS.
  case sosWentOffline(name: UserID)
  /// `place` is the name that the member gave it.
  case placeReached(name: UserID, place: String)
  /// As ``placeReached(name:place:)``.
  case placeLeft(name: UserID, place: String)
  /// [TR-32] The message itself stays in the chat.
  case chatMessage(sender: UserID, conversation: String)
  /// [IM-12] `outcome` is a sentence.
  case importEnded(tracker: String, outcome: String)
  /// [ID-64]
  case badgeAwarded(Badge)
  /// [ID-65]
  case welcome

  /// The user whom the text names, if any. Title and body name no two.
  public var user: UserID? { title.user ?? body.user }

  public var kind: NotificationKind {
    switch self {
    case .groupInvited: .groupInvited
    case .groupJoined: .groupJoined
    case .groupMemberAdded: .groupMemberAdded
    case .gymReminder: .gymReminder
    case .sessionCancelled: .sessionCancelled
    case .partnerCheckedIn: .partnerCheckedIn
    case .sessionStarted: .sessionStarted
    case .checkInMissed: .checkInMissed
    case .sessionReminder: .sessionReminder
    case .sessionSoon: .sessionReminder
    case .sessionMatched: .sessionMatched
    case .partnerMissed: .partnerMissed
    case .sessionLapsed: .sessionLapsed
    case .sessionExcused: .sessionExcused
    case .sessionEnded: .sessionEnded
    case .placeWithdrawn: .placeWithdrawn
    case .placeOffered: .placeOffered
    case .sessionFound: .sessionFound
    case .sessionNotRepeated: .sessionNotRepeated
    case .bookRequested: .bookRequested
    case .requestDeclined: .requestDeclined
    case .requestAccepted: .requestAccepted
    case .loanDue: .loanDue
    case .loanOverdue: .loanOverdue
    case .loanRecalled: .loanRecalled
    case .loanCancelled: .loanCancelled
    case .pickupChanged: .pickupChanged
    case .pickupNamed: .pickupNamed
    case .returnConfirmed: .returnConfirmed
    case .loanLastCall: .loanLastCall
    case .loanDeclaredLost: .loanDeclaredLost
    case .loanDeclaredReturned: .loanDeclaredReturned
    case .sosStarted: .sosStarted
    case .sosStopped: .sosStopped
    case .journeyStarted: .journeyStarted
    case .journeyEnded: .journeyEnded
    case .arrivedOnTime: .arrivedOnTime
    case .arrivedLate: .arrivedLate
    case .standingStill: .standingStill
    case .notArrived: .notArrived
    case .wentOffline: .wentOffline
    case .sosWentOffline: .sosWentOffline
    case .placeReached: .placeReached
    case .placeLeft: .placeLeft
    case .chatMessage: .chatMessage
    case .importEnded: .importEnded
    case .badgeAwarded: .badgeAwarded
    case .welcome: .welcome
    }
  }

  /// A short title.
  public var title: Wording {
    switch self {
    case .groupInvited: "You are invited to a group"
    case .groupJoined(let group, _): "You are now a member of \(group)"
    case .groupMemberAdded(let group, _): "\(group) has a new member"
    case .gymReminder: "Time for the gym"
    case .sessionCancelled: "Your session was cancelled"
    case .partnerCheckedIn(let partner, _): "\(partner) has checked in"
    case .sessionStarted: "Your session starts"
    case .checkInMissed: "You did not check in"
    case .sessionReminder: "Your session starts in an hour"
    case .sessionSoon: "Your session is about to start"
    case .sessionMatched(let partner, _, _): "\(partner) joined your session"
    case .partnerMissed(let partner, _, _): "\(partner) did not come"
    case .sessionLapsed: "Nobody joined your session"
    case .sessionExcused: "Your session does not count"
    case .sessionEnded: "Your session has ended"
    case .placeWithdrawn: "A session that you waited for was cancelled"
    case .placeOffered: "A place is free"
    case .sessionFound: "A session that you might like"
    case .sessionNotRepeated: "Your weekly session was left out"
    case .bookRequested(let title, _): "Somebody wants to borrow \(title)"
    case .requestDeclined(let title): "Your request for \(title) was declined"
    case .requestAccepted(let title, _): "You may borrow \(title)"
    case .loanDue(let title): "\(title) is due tomorrow"
    case .loanOverdue(let title): "\(title) is overdue"
    case .loanRecalled(let title, _): "\(title) is asked back"
    case .loanCancelled(let title, _): "The loan of \(title) was cancelled"
    case .pickupChanged(let title, _): "You get \(title) at another place"
    case .pickupNamed(let title, _): "Where you get \(title)"
    case .returnConfirmed(let title, _): "Is \(title) back?"
    case .loanLastCall(let title, _): "Please give \(title) back now"
    case .loanDeclaredLost(let title, _): "\(title) was declared lost"
    case .loanDeclaredReturned(let title, _): "\(title) was declared returned"
    case .sosStarted: "SOS alert"
    case .sosStopped: "SOS alarm stopped"
    case .sosWentOffline: "SOS alert: offline"
    case .journeyStarted, .journeyEnded, .arrivedOnTime, .arrivedLate: "Journey"
    case .standingStill, .notArrived, .wentOffline: "Journey: please check"
    case .placeReached: "Arrived"
    case .placeLeft: "Left"
    case .chatMessage(let sender, _): "New message from \(sender)"
    case .importEnded(let tracker, _): "Import from \(tracker)"
    case .badgeAwarded(let badge): "New badge: \(badge.title)"
    case .welcome: "Welcome to Tandem"
    }
  }

  /// A sentence to show below the title. Those about tracking are quoted verbatim from the rules.
  public var body: Wording {
    switch self {
    case .groupInvited: "See your invitations for who invites you and to what; accept, decline or block there."
    case .groupJoined(let group, let by): "You joined the group \(group) by the invitation of \(by)."
    case .groupMemberAdded(let group, let member): "\(member) joined the group \(group) by your invitation."
    case .gymReminder(let time): "It is \(time), the time at which you want to be reminded of your training."
    case .sessionCancelled(let partner, let start):
      "\(partner) cancelled your session of \(start). It is open for others again."
    case .partnerCheckedIn(let partner, let gym):
      "\(partner) has checked in at \(gym) and waits for you. Check in by 15 minutes after the start at the latest."
    case .sessionStarted(let partner, let gym): "You and \(partner) have both checked in at \(gym). Have fun!"
    case .checkInMissed(let end):
      "You did not check in for your session, so you cannot post or join sessions until \(end)."
    case .sessionReminder(let partner, let gym): "You meet \(partner) at \(gym) in an hour."
    case .sessionSoon(let partner, let start, let gym): "You meet \(partner) at \(gym): \(start)."
    case .sessionMatched(let partner, let start, let gym): "You train with \(partner) at \(gym): \(start)."
    case .partnerMissed(let partner, let start, let gym):
      "\(partner) did not check in for your session of \(start) at \(gym). You did, so it does not count against you."
    case .sessionLapsed(let start, let gym): "Nobody joined your session of \(start) at \(gym)."
    case .sessionExcused(let start, let gym):
      "Your session of \(start) at \(gym) failed while check-ins were not possible: it counts against nobody."
    case .sessionEnded(let start, let gym):
      "Your partner in the session of \(start) at \(gym) has deleted the account. It does not count against you."
    case .placeWithdrawn(let start, let gym): "The session of \(start) at \(gym) was cancelled."
    case .placeOffered(let start, let gym):
      "The session of \(start) at \(gym) is yours if you join it within 15 minutes."
    case .sessionFound(let start, let gym): "There is a session at \(gym) on \(start), as you were looking for."
    case .sessionNotRepeated(let start, let gym):
      "Your weekly session of \(start) at \(gym) was not posted: you have another session then or very many that wait for a partner, or may not post just now."
    case .bookRequested(let title, let by): "\(by) would like to borrow \(title) from you."
    case .requestDeclined(let title): "The owner of \(title) declined your request."
    case .requestAccepted(let title, let owner): "\(owner) accepted your request for \(title)."
    case .loanDue(let title): "Please give \(title) back by tomorrow."
    case .loanOverdue(let title): "You should have given \(title) back by now. Please do so soon."
    case .loanRecalled(let title, let owner): "\(owner) would like to have \(title) back."
    case .loanCancelled(let title, let by): "\(by) cancelled the loan of \(title). It is not handed over."
    case .pickupChanged(let title, let owner): "\(owner) changed the place where you get \(title)."
    case .pickupNamed(let title, let owner): "\(owner) named the place where you get \(title)."
    case .returnConfirmed(let title, let by):
      "\(by) confirmed that \(title) was given back. Scan it to confirm it too; else \(by) may end the loan in some days."
    case .loanLastCall(let title, let owner):
      "\(owner) asked for \(title) and has not got it back. In a few days \(owner) may declare it lost."
    case .loanDeclaredLost(let title, let owner):
      "\(owner) declared \(title) lost, because it was asked back and did not come. The loan has ended."
    case .loanDeclaredReturned(let title, let by): "\(by) declared that \(title) was given back. The loan has ended."
    case .sosStarted(let name): "\(name) triggered an SOS alert!"
    case .sosStopped(let name): "\(name): SOS alarm stopped!"
    case .journeyStarted(let name): "\(name) started a journey"
    case .journeyEnded(let name): "\(name)'s journey ended"
    case .arrivedOnTime(let name): "\(name) has reached their destination on time."
    case .arrivedLate(let name): "\(name) has reached their destination late."
    case .standingStill(let name): "\(name) has been stuck in the same position for a while."
    case .notArrived(let name): "\(name) has not reached their destination as expected, yet."
    case .wentOffline(let name), .sosWentOffline(let name): "\(name) went offline!"
    case .placeReached(let name, let place): "\(name) arrived: \(place)"
    case .placeLeft(let name, let place): "\(name) left: \(place)"
    case .chatMessage(let sender, let conversation): "\(sender) wrote to you in \(conversation)."
    case .importEnded(_, let outcome): "\(outcome)"
    case .badgeAwarded(let badge): "\(badge.description) You were awarded the badge \(badge.title)."
    case .welcome:
      "Your account is ready. Look at your profile: add a picture, and choose your time zone and who sees your contact."
    }
  }
}

/// Text for a reader with interpolated facts from untrusted sources: each fact is reduced to one line of at most 120
/// characters.
public struct Wording: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Plain text without control characters, with ``placeholder`` for the name of ``user``.
  public let template: String
  /// The user whom the text names, if any.
  public let user: UserID?

  /// Stands for a user's name in a stored text. No fact can contain it.
  public static let placeholder: Unicode.Scalar = "\u{FFFC}"
  /// Takes the place of a name that the reader cannot be told: the account was deleted, or a block makes its user
  /// invisible ([C-9], [C-10]). Both read alike, so that a block is not noticed.
  static let nameless = "a deleted user"

  /// A fixed text.
  public init(stringLiteral text: String) { (template, user) = (text, nil) }

  /// A fixed text with interpolated facts.
  public init(stringInterpolation: Interpolation) {
    (template, user) = (stringInterpolation.text, stringInterpolation.user)
  }

  /// The text of a stored template.
  ///
  /// - Parameter username: the present name of the user in it; `nil` for one that the reader cannot be told.
  public static func text(of template: String, naming username: String?) -> String {
    guard template.unicodeScalars.contains(placeholder) else { return template }
    let mark = String(placeholder)
    guard username == nil, template.hasPrefix(mark) else {
      return template.replacing(mark, with: username ?? nameless)
    }
    let sentence = template.replacing(mark, with: nameless)
    return sentence.prefix(1).uppercased() + sentence.dropFirst()
  }

  public var description: String { template }

  /// Collects literals and facts.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var user: UserID?

    private static let maxFactLength = 120

    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds literal text unchanged.
    public mutating func appendLiteral(_ words: String) { text += words }

    /// Adds the name of a user, which is inserted when the text is read. A text names one user.
    public mutating func appendInterpolation(_ user: UserID) {
      precondition(self.user == nil || self.user == user, "a text names one user")
      self.user = user
      text.unicodeScalars.append(Wording.placeholder)
    }

    /// Adds a fact after cleaning and truncating it.
    public mutating func appendInterpolation(_ fact: String) {
      let fact = String(fact.unicodeScalars.prefix(4 * Self.maxFactLength)).withoutHiddenCharacters
      let scalars = fact.unicodeScalars.prefix(Self.maxFactLength + 1)
      for scalar in scalars.prefix(Self.maxFactLength) { text.unicodeScalars.append(Self.shown(scalar)) }
      if scalars.count > Self.maxFactLength { text += "…" }
    }

    /// Replaces control characters, line breaks and ``Wording/placeholder`` by spaces.
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: " "
      case .otherSymbol where scalar == Wording.placeholder: " "
      default: scalar
      }
    }
  }
}

/// Identifies the source of a notification: of two notifications to one user with the same key the second is not stored
/// ([ID-60]).
public struct SourceKey: Sendable, Hashable, CustomStringConvertible {
  /// 1 to 200 characters.
  public let text: String

  /// `nil` for an empty key, one of more than 200 characters, or one that is not printable ASCII.
  public init?(_ text: String) {
    guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.text = text
  }

  /// The key of a reminder: at most one a day ([ID-63]).
  public static func reminder(ofDay day: String) -> SourceKey {
    guard let key = SourceKey("reminders/\(day)") else { preconditionFailure("\(day) is not a day") }
    return key
  }

  /// The key of a badge: at most one of each kind for a user ([ID-64]).
  public static func badge(_ badge: Badge) -> SourceKey {
    guard let key = SourceKey("badges/\(badge.rawValue)") else { preconditionFailure("\(badge) has a bad name") }
    return key
  }

  /// The key of the welcome: one for an account ([ID-65]).
  public static var welcome: SourceKey {
    guard let key = SourceKey("welcome") else { preconditionFailure("the key is not valid") }
    return key
  }

  public var description: String { text }
}
