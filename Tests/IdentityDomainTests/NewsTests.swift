import IdentityDomain
import Identifiers
import Testing

@Suite("news")
struct NewsTests {
  /// Every kind of notification, with the longest and worst values.
  private static func all(_ fact: String) -> [News] {
    [
      .groupInvited, .groupJoined(group: fact, by: fact), .groupMemberAdded(group: fact, member: fact),
      .gymReminder(time: fact),
      .sessionCancelled(partner: fact, start: fact), .partnerCheckedIn(partner: fact, gym: fact),
      .sessionStarted(partner: fact, gym: fact), .checkInMissed(end: fact), .sessionReminder(partner: fact, gym: fact),
      .bookRequested(title: fact, by: fact), .requestDeclined(title: fact), .requestAccepted(title: fact, owner: fact),
      .loanDue(title: fact), .loanOverdue(title: fact), .loanRecalled(title: fact, owner: fact),
      .loanCancelled(title: fact, by: fact), .pickupChanged(title: fact, owner: fact),
      .sosStarted(name: fact), .sosStopped(name: fact), .journeyStarted(name: fact), .journeyEnded(name: fact),
      .arrivedOnTime(name: fact), .arrivedLate(name: fact), .standingStill(name: fact), .notArrived(name: fact),
      .wentOffline(name: fact), .chatMessage(sender: fact, conversation: fact),
      .importEnded(tracker: fact, outcome: fact),
    ] + Badge.allCases.map { .badgeAwarded($0) }
  }

  @Test("[ID-60] every kind has its news, whose words are one line and fit the inbox whatever the facts are")
  func fits() {
    let news = Self.all(String(repeating: "ä\r\n\u{2028}", count: 500))

    #expect(Set(news.map(\.kind)) == Set(NotificationKind.allCases))
    for item in news {
      #expect((1...200).contains(item.title.text.unicodeScalars.count), "\(item.kind)")
      #expect((1...1_000).contains(item.body.text.unicodeScalars.count), "\(item.kind)")
      let lines = (item.title.text + item.body.text).split(whereSeparator: \.isNewline)
      #expect(lines.count == 1, "\(item.kind)")
    }
  }

  @Test("what the rules about tracking quote is told to the letter")
  func quoted() {
    let quotes: [(News, String)] = [
      (.sosStarted(name: "Ada"), "Ada triggered an SOS alert!"), (.sosStopped(name: "Ada"), "Ada: SOS alarm stopped!"),
      (.journeyStarted(name: "Ada"), "Ada started a journey"), (.journeyEnded(name: "Ada"), "Ada's journey ended"),
      (.arrivedOnTime(name: "Ada"), "Ada has reached their destination on time."),
      (.arrivedLate(name: "Ada"), "Ada has reached their destination late."),
      (.standingStill(name: "Ada"), "Ada has been stuck in the same position for a while."),
      (.notArrived(name: "Ada"), "Ada has not reached their destination as expected, yet."),
      (.wentOffline(name: "Ada"), "Ada went offline!"),
    ]
    for (news, quote) in quotes { #expect(news.body.text == quote) }
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
