import Identifiers
import LendingDomain
import Testing

@Suite("what a borrower is told about the return")
struct DueNoticeTests {
  private static let (owner, borrower) = (UserID(UUID7(high: 0x7000, low: 1)), UserID(UUID7(high: 0x7000, low: 2)))
  private static let end = Instant(microseconds: 1_800_000_000_000_000)
  private static let due = DueDate(
    day: CivilDate(daysSince1970: 20_833), zone: "UTC", reminderAt: end - .seconds(140_400), endsAt: end)

  private func loan(
    _ state: LoanState = .borrowed, giveBack: Set<Party> = [], recalledAt: Instant? = nil
  ) -> LoanFacts {
    LoanFacts(
      ownerID: Self.owner, borrowerID: Self.borrower, state: state, giveBack: giveBack,
      declarations: Declarations(recalledAt: recalledAt))
  }

  @Test("[LE-12] the borrower is reminded until the last day is over, and told from then on that the book is overdue")
  func dueDate() {
    for (now, isOver) in [(Self.end - .seconds(1), false), (Self.end, true)] {
      #expect(DueNotice.reminder.isDue(loan(), due: Self.due, at: now) == !isOver)
      #expect(DueNotice.overdue.isDue(loan(), due: Self.due, at: now) == isOver)
    }
    for notice in [DueNotice.reminder, .overdue] { #expect(!notice.isDue(loan(), due: nil, at: Self.end)) }
  }

  @Test("[LE-12] only the borrower of a recalled book gets a last call")
  func lastCall() {
    #expect(DueNotice.lastCall.isDue(loan(recalledAt: Self.end), due: nil, at: Self.end))
    #expect(!DueNotice.lastCall.isDue(loan(), due: Self.due, at: Self.end))
  }

  @Test("[LE-12] a borrower who confirmed the return, or has no book, is told nothing", arguments: DueNotice.allCases)
  func over(notice: DueNotice) {
    let now = notice == .reminder ? Self.due.reminderAt : Self.end
    func isDue(_ state: LoanState, giveBack: Set<Party> = []) -> Bool {
      notice.isDue(loan(state, giveBack: giveBack, recalledAt: Self.due.reminderAt), due: Self.due, at: now)
    }
    for state in LoanState.allCases { #expect(isDue(state) == (state == .borrowed), "\(state)") }
    #expect(isDue(.borrowed, giveBack: [.owner]))
    #expect(!isDue(.borrowed, giveBack: [.borrower]))
  }
}
