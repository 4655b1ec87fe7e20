import Identifiers
import LendingDomain
import Testing

@Suite("ways out of a loan")
struct WaysOutTests {
  private static let owner = UserID(UUID7(high: 0x7000, low: 1))
  private static let borrower = UserID(UUID7(high: 0x7000, low: 2))
  private static let isbn = ISBN(stored: 9_780_441_172_719)
  private static let start = Instant(microseconds: 1_768_478_400_000_000)
  private static let wait = Duration.seconds(14 * 86_400)

  /// A loan that only one of its parties acts on, whatever the other has done before.
  private struct Alone {
    var loan: LoanFacts
    var book: BookFacts
    var now = start

    /// Takes a step if the rules let the user.
    mutating func take(_ step: Step, by user: UserID) {
      func decided() throws(LoanRefusal) -> Decision? {
        switch step {
        case .withdraw: try BookStatus.withdraw(loan, of: book, by: user)
        case .decline: try BookStatus.decline(loan, of: book, by: user)
        case .cancel: try BookStatus.cancel(loan, of: book, by: user)
        case .recall: try BookStatus.recall(loan, of: book, by: user)
        case .confirmReturn: try BookStatus.confirm(.giveBack, by: user, scanning: isbn, loan, of: book)
        case .declareReturned: try BookStatus.declare(.returned, loan, of: book, by: user, at: now, after: wait)
        case .declareLost: try BookStatus.declare(.lost, loan, of: book, by: user, at: now, after: wait)
        case .request, .accept, .changePickup, .confirmHandover, .handOver, .return: nil
        }
      }
      guard let decision = try? decided() else { return }
      loan.state = decision.state
      book.status = decision.status
      switch decision.step {
      case .recall: loan.declarations.recalledAt = now
      case .confirmReturn:
        loan.giveBack.insert(decision.party)
        if decision.party == .borrower { loan.declarations.returnedByBorrowerAt = now }
      default: break
      }
    }

    var isOver: Bool { Step.allCases.allSatisfy { loan.state.after($0) == nil } }
  }

  /// Every state that a loan can be in, with what either party may have done in it.
  private static let states: [LoanFacts] = LoanState.allCases.flatMap { state -> [LoanFacts] in
    let sets: [Set<Party>] = [[], [.owner], [.borrower]]
    return sets.flatMap { confirmed in
      [nil, start].map { recalled in
        LoanFacts(
          ownerID: owner, borrowerID: borrower, state: state,
          handover: state == .accepted ? confirmed : [.owner, .borrower],
          giveBack: state == .borrowed ? confirmed : [],
          declarations: Declarations(
            recalledAt: state == .borrowed ? recalled : nil,
            returnedByBorrowerAt: state == .borrowed && confirmed.contains(.borrower) ? start : nil))
      }
    }
  }

  @Test(
    "[LE-10] [LE-12] D-4: every state of a loan has a way out for each party that needs no other's help",
    arguments: Party.allCases)
  func everyState(party: Party) {
    let statuses: [LoanState: BookStatus] = [.pending: .requested, .accepted: .accepted, .borrowed: .borrowed]
    for loan in Self.states {
      let book = BookFacts(
        ownerID: Self.owner, isbn: Self.isbn, status: statuses[loan.state] ?? .available,
        waiting: loan.state == .pending ? 1 : 0, isRetired: false)
      var alone = Alone(loan: loan, book: book)
      let user = party == .owner ? Self.owner : Self.borrower
      for _ in 0..<4 {
        // Recalled before it is confirmed, so that the declaration is what is tried.
        for step in [Step.withdraw, .decline, .cancel, .recall, .declareReturned, .confirmReturn] {
          alone.take(step, by: user)
        }
        alone.now = alone.now + Self.wait
      }
      #expect(alone.isOver && alone.book.status == .available, "\(party) in \(loan)")
    }
  }

  @Test("[LE-12] D-4: the owner declares a recalled book lost when its time has come, and not before")
  func lost() throws {
    let book = BookFacts(ownerID: Self.owner, isbn: Self.isbn, status: .borrowed, waiting: 0, isRetired: false)
    func declare(_ outcome: LoanOutcome, _ user: UserID, _ declarations: Declarations, days: Int64) throws -> Decision {
      let loan = LoanFacts(
        ownerID: Self.owner, borrowerID: Self.borrower, state: .borrowed, handover: [.owner, .borrower],
        giveBack: declarations.returnedByBorrowerAt == nil ? [] : [.borrower], declarations: declarations)
      return try BookStatus.declare(
        outcome, loan, of: book, by: user, at: Self.start + .seconds(86_400 * days), after: Self.wait)
    }
    let (recalled, confirmed) = (
      Declarations(recalledAt: Self.start), Declarations(returnedByBorrowerAt: Self.start)
    )
    #expect(throws: LoanRefusal.notRecalled) { try declare(.lost, Self.owner, Declarations(), days: 99) }
    #expect(throws: LoanRefusal.declaredTooEarly) { try declare(.lost, Self.owner, recalled, days: 13) }
    let lost = try declare(.lost, Self.owner, recalled, days: 14)
    #expect(lost.state == .lost && lost.status == .available && lost.party == .owner)
    #expect(throws: LoanRefusal.notTheOwner) { try declare(.lost, Self.borrower, confirmed, days: 99) }
    #expect(throws: LoanRefusal.returnNotConfirmed) { try declare(.returned, Self.borrower, recalled, days: 99) }
    #expect(throws: LoanRefusal.declaredTooEarly) { try declare(.returned, Self.borrower, confirmed, days: 13) }
    #expect(try declare(.returned, Self.borrower, confirmed, days: 14).state == .returned)
    let disputed = Declarations(
      recalledAt: Self.start + .seconds(86_400 * 10), returnedByBorrowerAt: Self.start)
    #expect(throws: LoanRefusal.declaredTooEarly) { try declare(.returned, Self.borrower, disputed, days: 23) }
    #expect(try declare(.returned, Self.borrower, disputed, days: 24).state == .returned)
    #expect(throws: LoanRefusal.noSuchLoan) {
      try declare(.lost, UserID(UUID7(high: 0x7000, low: 3)), recalled, days: 99)
    }
  }

  @Test("[LE-16] what a scan means follows from the loan's state and the party")
  func scans() throws {
    func meaning(_ state: LoanState, _ user: UserID, confirmed: Set<Party> = []) throws -> ScanMeaning? {
      try LoanFacts(
        ownerID: Self.owner, borrowerID: Self.borrower, state: state, handover: confirmed, giveBack: confirmed
      ).meaning(ofScanBy: user)
    }
    #expect(try meaning(.accepted, Self.owner) == .handOver && meaning(.accepted, Self.borrower) == .receive)
    #expect(try meaning(.borrowed, Self.owner) == .takeBack && meaning(.borrowed, Self.borrower) == .giveBack)
    for state in [LoanState.accepted, .borrowed] {
      #expect(try meaning(state, Self.owner, confirmed: [.owner]) == nil)
      #expect(try meaning(state, Self.borrower, confirmed: [.owner]) != nil)
    }
    #expect(throws: LoanRefusal.notAccepted) { try meaning(.pending, Self.owner) }
  }
}
