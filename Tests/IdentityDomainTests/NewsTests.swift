import IdentityDomain
import Identifiers
import Testing

@Suite("news")
struct NewsTests {
  private static let user = UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))

  /// Every kind of notification, with the longest and worst values.
  private static func all(_ fact: String, _ user: UserID) -> [News] {
    [
      .groupInvited, .groupJoined(group: fact, by: user), .groupMemberAdded(group: fact, member: user),
      .gymReminder(time: fact),
      .sessionCancelled(partner: user, start: fact), .partnerCheckedIn(partner: user, gym: fact),
      .sessionStarted(partner: user, gym: fact), .checkInMissed(end: fact), .sessionReminder(partner: user, gym: fact),
      .sessionSoon(partner: user, start: fact, gym: fact), .sessionMatched(partner: user, start: fact, gym: fact),
      .partnerMissed(partner: user, start: fact, gym: fact), .sessionLapsed(start: fact, gym: fact),
      .sessionExcused(start: fact, gym: fact), .sessionEnded(start: fact, gym: fact),
      .placeWithdrawn(start: fact, gym: fact),
      .placeOffered(start: fact, gym: fact), .sessionFound(start: fact, gym: fact),
      .sessionNotRepeated(start: fact, gym: fact),
      .bookRequested(title: fact, by: user), .requestDeclined(title: fact), .requestAccepted(title: fact, owner: user),
      .loanDue(title: fact), .loanOverdue(title: fact), .loanRecalled(title: fact, owner: user),
      .loanCancelled(title: fact, by: user), .pickupChanged(title: fact, owner: user),
      .pickupNamed(title: fact, owner: user), .returnConfirmed(title: fact, by: user),
      .loanLastCall(title: fact, owner: user), .loanDeclaredLost(title: fact, owner: user),
      .loanDeclaredReturned(title: fact, by: user),
      .sosStarted(name: user), .sosStopped(name: user), .journeyStarted(name: user), .journeyEnded(name: user),
      .arrivedOnTime(name: user), .arrivedLate(name: user), .standingStill(name: user), .notArrived(name: user),
      .wentOffline(name: user), .sosWentOffline(name: user), .chatMessage(sender: user, conversation: fact),
      .importEnded(tracker: fact, outcome: fact), .placeReached(name: user, place: fact),
      .placeLeft(name: user, place: fact), .welcome,
    ] + Badge.allCases.map { .badgeAwarded($0) }
  }

  @Test("[ID-60] every kind has its news, whose words are one line and fit the inbox whatever the facts are")
  func fits() {
    let news = Self.all(String(repeating: "ä\r\n\u{2028}", count: 500), Self.user)
    let name = String(repeating: "n", count: 30)

    #expect(Set(news.map(\.kind)) == Set(NotificationKind.allCases))
    for item in news {
      let title = Wording.text(of: item.title.template, naming: name)
      let body = Wording.text(of: item.body.template, naming: name)
      #expect((1...200).contains(title.unicodeScalars.count), "\(item.kind)")
      #expect((1...1_000).contains(body.unicodeScalars.count), "\(item.kind)")
      let lines = (title + body).split(whereSeparator: \.isNewline)
      #expect(lines.count == 1, "\(item.kind)")
    }
  }

  @Test("what the rules about tracking quote is told to the letter")
  func quoted() {
    let quotes: [(News, String)] = [
      (.sosStarted(name: Self.user), "Ada triggered an SOS alert!"),
      (.sosStopped(name: Self.user), "Ada: SOS alarm stopped!"),
      (.journeyStarted(name: Self.user), "Ada started a journey"),
      (.journeyEnded(name: Self.user), "Ada's journey ended"),
      (.arrivedOnTime(name: Self.user), "Ada has reached their destination on time."),
      (.arrivedLate(name: Self.user), "Ada has reached their destination late."),
      (.standingStill(name: Self.user), "Ada has been stuck in the same position for a while."),
      (.notArrived(name: Self.user), "Ada has not reached their destination as expected, yet."),
      (.wentOffline(name: Self.user), "Ada went offline!"),
      (.sosWentOffline(name: Self.user), "Ada went offline!"),
    ]
    for (news, quote) in quotes { #expect(Wording.text(of: news.body.template, naming: "Ada") == quote) }
  }

  @Test("[C-9] a text names a user by id, with one name for title and body, and without a name reads of a deleted user")
  func named() {
    for news in Self.all("Dune", Self.user) {
      let users = [news.title.user, news.body.user].compactMap { $0 }
      #expect(Set(users).count <= 1 && news.user == users.first, "\(news.kind)")
      let isNamed = (news.title.template + news.body.template).unicodeScalars.contains(Wording.placeholder)
      #expect(isNamed == (news.user != nil), "\(news.kind)")
    }
    let pairs: [(News, String)] = [
      (.bookRequested(title: "Dune", by: Self.user), "A deleted user would like to borrow Dune from you."),
      (.journeyEnded(name: Self.user), "A deleted user's journey ended"),
      (.sessionReminder(partner: Self.user, gym: "the gym"), "You meet a deleted user at the gym in an hour."),
    ]
    for (news, text) in pairs { #expect(Wording.text(of: news.body.template, naming: nil) == text) }
  }

  @Test("[C-9] no fact stands for a name")
  func facts() {
    let news = News.requestDeclined(title: "\u{FFFC}")

    #expect(Wording.text(of: news.body.template, naming: "ada") == "The owner of   declined your request.")
  }

  @Test("[ID-63] a plan takes whole minutes of a day and days of the week")
  func plans() {
    #expect(LocalTime(hour: 24, minute: 0) == nil && LocalTime(hour: 23, minute: 60) == nil)
    #expect(LocalTime(hour: 7, minute: 5)?.description == "07:05" && LocalTime(minuteOfDay: 1_440) == nil)
    #expect(Weekdays([]) == nil && Weekdays([0]) == nil && Weekdays([8]) == nil)
    #expect(Weekdays([7, 1, 7])?.numbers == [1, 7])
  }

  @Test(
    "[ID-60] a source is printable and short", arguments: ["", "a b", "ä", "a\n", String(repeating: "a", count: 201)])
  func sources(text: String) {
    #expect(SourceKey(text) == nil)
  }
}
