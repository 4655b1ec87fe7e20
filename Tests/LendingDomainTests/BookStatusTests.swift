import Identifiers
import LendingDomain
import Testing

@Suite("what can happen to a book")
struct BookStatusTests {
  private static let owner = user(1)
  private static let borrower = user(2)
  private static let stranger = user(3)
  private static let isbn = ISBN(stored: 9_780_441_172_719)

  private static func user(_ number: UInt64) -> UserID { UserID(UUID7(high: 0x7000, low: number)) }

  private func book(_ status: BookStatus, waiting: Int = 0, isRetired: Bool = false) -> BookFacts {
    BookFacts(ownerID: Self.owner, isbn: Self.isbn, status: status, waiting: waiting, isRetired: isRetired)
  }

  private func loan(_ state: LoanState, handover: Set<Party> = [], giveBack: Set<Party> = []) -> LoanFacts {
    LoanFacts(
      ownerID: Self.owner, borrowerID: Self.borrower, state: state, handover: handover, giveBack: giveBack)
  }

  private func asker(
    _ id: UserID = borrower, waitsForBook: Bool = false, waiting: Int = 0, asked: Int = 0, isBlocked: Bool = false
  ) -> Asker {
    Asker(id: id, waitsForBook: waitsForBook, waiting: waiting, asked: asked, withdrawn: 0, isBlocked: isBlocked)
  }

  @Test("[LE-13] the two tables agree: a step moves a loan exactly where it moves a book of that status")
  func tablesAgree() {
    let statuses: [LoanState: BookStatus] = [.pending: .requested, .accepted: .accepted, .borrowed: .borrowed]
    for (state, status) in statuses {
      for step in Step.allCases where step != .request {
        let (moved, led) = (state.after(step), status.after(step, waiting: 0))
        #expect((moved == nil) == (led == nil), "\(state) \(step)")
        if let moved { #expect(led == statuses[moved] ?? .available, "\(state) \(step)") }
      }
    }
  }

  @Test(
    "[LE-13] a request that is over stays so",
    arguments: [LoanState.withdrawn, .declined, .cancelled, .returned, .lost])
  func over(state: LoanState) {
    for step in Step.allCases { #expect(state.after(step) == nil) }
  }

  @Test("[LE-13] every way ends where it began")
  func everyWayLeadsBack() {
    for status in BookStatus.allCases {
      var (reached, fresh) = (Set([status]), [status])
      while let next = fresh.popLast() {
        let led = Step.allCases.flatMap { step in [0, 1].compactMap { next.after(step, waiting: $0) } }
        for one in led where reached.insert(one).inserted { fresh.append(one) }
      }
      #expect(reached == Set(BookStatus.allCases), "\(status)")
    }
  }

  @Test("[LE-1] a book is asked for while it is available or requested")
  func request() throws {
    let first = try BookStatus.request(book(.available), by: asker())
    #expect(first.status == .requested && first.waiting == 1 && first.previousState == nil && first.state == .pending)
    let second = try BookStatus.request(book(.requested, waiting: 1), by: asker(Self.stranger))
    #expect(second.status == .requested && second.waiting == 2)
    for status in [BookStatus.accepted, .borrowed] {
      #expect(throws: LoanRefusal.notRequestable) { try BookStatus.request(book(status), by: asker()) }
    }
  }

  @Test("[LE-1] own, twice, retired, kept away, too many: each is refused")
  func requestRefusals() {
    let open = book(.requested, waiting: 1)
    #expect(throws: LoanRefusal.ownBook) { try BookStatus.request(open, by: asker(Self.owner)) }
    #expect(throws: LoanRefusal.alreadyRequested) { try BookStatus.request(open, by: asker(waitsForBook: true)) }
    #expect(throws: LoanRefusal.noSuchBook) { try BookStatus.request(book(.available, isRetired: true), by: asker()) }
    #expect(throws: LoanRefusal.noSuchBook) { try BookStatus.request(open, by: asker(isBlocked: true)) }
    #expect(throws: LoanRefusal.tooManyRequests) {
      try BookStatus.request(open, by: asker(waiting: BookStatus.maxWaiting))
    }
    #expect(throws: LoanRefusal.tooManyRequests) {
      try BookStatus.request(book(.requested, waiting: BookStatus.maxWaiting), by: asker())
    }
    #expect(throws: LoanRefusal.askedTooOften) {
      try BookStatus.request(open, by: asker(asked: BookStatus.maxAsked))
    }
  }

  @Test("[LE-4] declining or withdrawing the last request makes the book available, another does not")
  func last() throws {
    let pending = loan(.pending)
    #expect(try BookStatus.decline(pending, of: book(.requested, waiting: 1), by: Self.owner).status == .available)
    #expect(try BookStatus.decline(pending, of: book(.requested, waiting: 2), by: Self.owner).status == .requested)
    #expect(try BookStatus.withdraw(pending, of: book(.requested, waiting: 1), by: Self.borrower).status == .available)
    #expect(try BookStatus.withdraw(pending, of: book(.requested, waiting: 2), by: Self.borrower).status == .requested)
  }

  @Test("[LE-7] only the owner accepts, and only what waits")
  func accept() throws {
    let open = book(.requested, waiting: 3)
    let decision = try BookStatus.accept(loan(.pending), of: open, by: Self.owner)
    #expect(decision.status == .accepted && decision.state == .accepted && decision.waiting == 0)
    #expect(throws: LoanRefusal.notTheOwner) { try BookStatus.accept(loan(.pending), of: open, by: Self.borrower) }
    #expect(throws: LoanRefusal.noSuchLoan) { try BookStatus.accept(loan(.pending), of: open, by: Self.stranger) }
    for state in LoanState.allCases where state != .pending {
      #expect(throws: LoanRefusal.notPending) { try BookStatus.accept(loan(state), of: open, by: Self.owner) }
    }
  }

  @Test("[LE-9] the second confirmation hands the book over, whoever is first", arguments: Party.allCases)
  func handover(first: Party) throws {
    let accepted = book(.accepted)
    func confirm(_ party: Party, _ loan: LoanFacts) throws -> Decision? {
      try BookStatus.confirm(
        .handover, by: party == .owner ? Self.owner : Self.borrower, scanning: Self.isbn, loan, of: accepted)
    }
    #expect(try confirm(first, loan(.accepted))?.step == .confirmHandover)
    #expect(try confirm(first, loan(.accepted, handover: [first])) == nil)
    let second = try confirm(first.other, loan(.accepted, handover: [first]))
    #expect(second?.step == .handOver && second?.status == .borrowed && second?.state == .borrowed)
    #expect(throws: LoanRefusal.notAccepted) { try confirm(first, loan(.pending)) }
    #expect(throws: LoanRefusal.notAccepted) { try confirm(first, loan(.cancelled, handover: [first])) }
  }

  @Test("[LE-12] [C-8] zones are called as IANA calls them")
  func zones() {
    for zone in ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT-14"] {
      #expect(DueDate.mayBeZone(zone), "\(zone)")
    }
    for none in [
      "", "CET", "EST5EDT", "europe/Berlin", "Europe/", "/Berlin", "Some/Where+3", "Some/Where3", "Etc/GMT+13",
      "Etc/GMT5",
      "Etc/GMT+05", "Etc/GMT-0", "posix/Europe/Berlin", "../../etc/passwd", "A/B/C/D", "Europe/B\u{e9}rlin",
      "Europe/" + String(repeating: "a", count: 64),
    ] { #expect(!DueDate.mayBeZone(none), "\(none)") }
  }

  @Test("[LE-10] a wrong ISBN is refused before anything else is looked at")
  func mismatch() {
    let other = ISBN(stored: 9_780_439_023_481)
    #expect(throws: LoanRefusal.isbnMismatch) {
      try BookStatus.confirm(
        .giveBack, by: Self.owner, scanning: other, loan(.returned, giveBack: [.owner]), of: book(.available))
    }
  }

  @Test("[LE-10] [C-9] where the other has left, one confirmation gives the book back")
  func alone() throws {
    var left = loan(.borrowed, handover: [.owner, .borrower])
    left.borrowerID = nil
    let decision = try BookStatus.confirm(.giveBack, by: Self.owner, scanning: Self.isbn, left, of: book(.borrowed))
    #expect(decision?.step == .return && decision?.status == .available)
  }

  @Test("[LE-14] either party cancels what is accepted, nobody what is borrowed", arguments: Party.allCases)
  func cancel(party: Party) throws {
    let user = party == .owner ? Self.owner : Self.borrower
    let decision = try BookStatus.cancel(loan(.accepted, handover: [party.other]), of: book(.accepted), by: user)
    #expect(decision.status == .available && decision.party == party)
    #expect(throws: LoanRefusal.notAccepted) {
      try BookStatus.cancel(loan(.borrowed), of: book(.borrowed), by: user)
    }
  }

  @Test("[LE-7] [CA-29] each of several requests is declined as a single one; after the last the book is available")
  func declinedTogether() throws {
    let open = book(.requested, waiting: 2)
    let each = try BookStatus.declineNext(for: open, leaving: 1)
    #expect(try each == BookStatus.decline(loan(.pending), of: open, by: Self.owner))
    let last = try BookStatus.declineNext(for: open, leaving: 0)
    #expect(try last == BookStatus.decline(loan(.pending), of: open.after(each), by: Self.owner))
    #expect(last.status == .available && open.after(last).waiting == 0)
    for status in BookStatus.allCases where status != .requested {
      #expect(throws: LoanRefusal.notPending) { try BookStatus.declineNext(for: book(status), leaving: 0) }
    }
  }

  @Test("[LE-10] the borrower's comment counts after the borrower's part of the return, unless the book is lost")
  func comment() {
    for state in LoanState.allCases {
      let isOpen = state == .borrowed || state == .returned
      #expect(loan(state, giveBack: [.borrower]).takesComment == isOpen, "\(state)")
      #expect(!loan(state, giveBack: [.owner]).takesComment, "\(state)")
    }
    let back = loan(.returned, giveBack: [.borrower])
    #expect(throws: Never.self) { try back.checkCommenter(Self.borrower) }
    #expect(throws: LoanRefusal.commentOfOwner) { try back.checkCommenter(Self.owner) }
    #expect(throws: LoanRefusal.noSuchLoan) { try back.checkCommenter(Self.stranger) }
  }

  @Test("[CA-29] only the owner withholds a book, and only before it is promised", arguments: BookStatus.allCases)
  func hold(status: BookStatus) {
    #expect(throws: LoanRefusal.noSuchBook) { try BookStatus.hold(book(status), by: Self.borrower) }
    if status == .available || status == .requested {
      #expect(throws: Never.self) { try BookStatus.hold(book(status), by: Self.owner) }
    } else {
      #expect(throws: LoanRefusal.notHoldable) { try BookStatus.hold(book(status), by: Self.owner) }
    }
  }

  @Test("[CA-24] only an available book may be deleted", arguments: BookStatus.allCases)
  func retire(status: BookStatus) {
    if status == .available {
      #expect(throws: Never.self) { try BookStatus.retire(book(status)) }
    } else {
      #expect(throws: LoanRefusal.notAvailable) { try BookStatus.retire(book(status)) }
    }
  }

  @Test(
    "[C-9] who leaves closes what waits and what is promised, and nothing that is lent", arguments: LoanState.allCases)
  func close(state: LoanState) throws {
    let (waits, promised) = (book(.requested, waiting: 1), book(.accepted))
    let decision = try BookStatus.close(loan(state), of: state == .pending ? waits : promised, by: .borrower)
    switch state {
    case .pending: #expect(decision?.step == .withdraw)
    case .accepted: #expect(decision?.step == .cancel)
    default: #expect(decision == nil)
    }
  }

  @Test(
    "[C-9] [C-10] an account deletion and a block take a step exactly where the tables have one",
    arguments: LoanState.allCases)
  func departuresAreInTheTables(state: LoanState) {
    for party in Party.allCases {
      for returned in [Set<Party>(), [.owner], [.borrower]] {
        let step = state.stepAtAccountDeletion(of: party, returned: returned)
        #expect(step == nil || step.flatMap { state.after($0) } != nil)
      }
      if let step = state.stepAtBlock(by: party) { #expect(state.after(step) != nil && state == .pending) }
    }
  }
}
