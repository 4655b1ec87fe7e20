import Identifiers
import SeededNumbers
import Testing

@testable import LendingDomain

/// One book with its requests and loans, as lending's tables have them; nothing but the domain's rules changes it.
private struct BookModel {
  struct Loan {
    let id: Int
    var facts: LoanFacts
  }

  static let isbn = ISBN(stored: 9_780_441_172_719)
  static let owner = user(0)
  static let users = (0..<4).map { user($0) }
  static let start = Instant(microseconds: 0)

  static func user(_ number: Int) -> UserID { UserID(UUID7(high: 0x7000, low: UInt64(number))) }

  /// `nil` once the book is deleted with its last loan, because neither party of it is left.
  var book: BookFacts? = BookFacts(
    ownerID: owner, isbn: isbn, status: .available, waiting: 0, isRetired: false)
  var loans: [Loan] = []
  var present = Set(users)
  /// Users whose account deletion is stored and whose loans the job has not settled yet.
  var unsettled: [UserID] = []
  var blocked: Set<Set<UserID>> = []
  private var made = 0

  // MARK: Steps of users

  mutating func request(by user: UserID) {
    guard let facts = book, present.contains(user) else { return }
    let pending = loans.filter { $0.facts.borrowerID == user && $0.facts.state == .pending }
    let asker = Asker(
      id: user, waitsForBook: !pending.isEmpty, waiting: pending.count, asked: 0, withdrawn: 0,
      isBlocked: blocked.contains([user, facts.ownerID ?? user]))
    guard let decision = try? BookStatus.request(facts, by: asker) else { return }
    made += 1
    loans.append(Loan(id: made, facts: LoanFacts(ownerID: facts.ownerID, borrowerID: user, state: .pending)))
    book?.status = decision.status
    book?.waiting = decision.waiting
  }

  /// Takes a step with a loan if the rules let the user; returns whether something changed.
  @discardableResult
  mutating func take(_ step: Step, by user: UserID, on place: Int) -> Bool {
    guard let facts = book, present.contains(user) else { return false }
    let loan = loans[place].facts
    func decided() throws(LoanRefusal) -> Decision? {
      switch step {
      case .request: nil
      case .withdraw: try BookStatus.withdraw(loan, of: facts, by: user)
      case .decline: try BookStatus.decline(loan, of: facts, by: user)
      case .accept: try BookStatus.accept(loan, of: facts, by: user)
      case .changePickup: try BookStatus.changePickup(loan, of: facts, by: user, changes: 0)
      case .cancel: try BookStatus.cancel(loan, of: facts, by: user)
      case .confirmHandover, .handOver:
        try BookStatus.confirm(.handover, by: user, scanning: Self.isbn, loan, of: facts)
      case .recall: try BookStatus.recall(loan, of: facts, by: user)
      case .confirmReturn, .return:
        try BookStatus.confirm(.giveBack, by: user, scanning: Self.isbn, loan, of: facts)
      case .declareLost, .declareReturned:
        try BookStatus.declare(
          step == .declareLost ? .lost : .returned, loan, of: facts, by: user, at: Self.start + .seconds(86_400),
          after: .seconds(86_400))
      }
    }
    guard let decision = try? decided() else { return false }
    if decision.step == .accept { declineOthers(than: place) }
    store(decision, on: place)
    return true
  }

  private mutating func declineOthers(than place: Int) {
    for other in loans.indices where other != place && loans[other].facts.state == .pending {
      loans[other].facts.state = .declined
    }
  }

  private mutating func store(_ decision: Decision, on place: Int) {
    loans[place].facts.state = decision.state
    switch decision.step {
    case .confirmHandover, .handOver: loans[place].facts.handover.insert(decision.party)
    case .confirmReturn, .return:
      loans[place].facts.giveBack.insert(decision.party)
      if decision.party == .borrower { loans[place].facts.declarations.returnedByBorrowerAt = Self.start }
    case .recall: loans[place].facts.declarations.recalledAt = Self.start
    default: break
    }
    book?.status = decision.status
    book?.waiting = decision.waiting
  }

  // MARK: Departures, blocks and restarts

  /// Stores an account deletion: the user acts no more, and a job settles the loans later.
  mutating func depart(_ user: UserID) {
    guard present.remove(user) != nil else { return }
    unsettled.append(user)
  }

  /// What the job does with this book for each user who deleted the account.
  mutating func settle() {
    for user in unsettled {
      for (place, party) in places(of: user) {
        guard let facts = book else { continue }
        let decision = try? BookStatus.close(loans[place].facts, of: facts, by: party)
        if let decision { store(decision, on: place) }
      }
      forget(user)
    }
    unsettled = []
  }

  /// Every account deletion is reported again, and the job runs again.
  mutating func restart() {
    unsettled = Self.users.filter { !present.contains($0) }
    settle()
  }

  mutating func block(_ blocker: UserID, _ other: UserID) {
    guard blocker != other, present.contains(blocker), blocked.insert([blocker, other]).inserted else { return }
    for (place, party) in places(of: blocker) {
      let loan = loans[place].facts
      guard let facts = book, (party == .owner ? loan.borrowerID : loan.ownerID) == other else { continue }
      let decision = try? BookStatus.closeBlocked(loan, of: facts, by: party)
      if let decision { store(decision, on: place) }
    }
  }

  private func places(of user: UserID) -> [(Int, Party)] {
    loans.indices.compactMap { place in
      let loan = loans[place].facts
      return loan.ownerID == user ? (place, .owner) : loan.borrowerID == user ? (place, .borrower) : nil
    }
  }

  private mutating func forget(_ user: UserID) {
    for place in loans.indices {
      if loans[place].facts.ownerID == user { loans[place].facts.ownerID = nil }
      if loans[place].facts.borrowerID == user { loans[place].facts.borrowerID = nil }
    }
    if book?.ownerID == user { book?.ownerID = nil }
    let orphans = loans.filter { $0.facts.ownerID == nil && $0.facts.borrowerID == nil }
    if orphans.contains(where: { $0.facts.state == .borrowed }) { book?.status = .available }
    loans.removeAll { $0.facts.ownerID == nil && $0.facts.borrowerID == nil }
    if let facts = book, facts.ownerID == nil, loans.isEmpty { book = nil }
  }

  // MARK: What must hold

  /// Whether the book's status, its number of requests and the loans' states are one story.
  var isConsistent: Bool {
    guard let book else { return loans.isEmpty }
    let promised = loans.map(\.facts.state).filter { $0 == .accepted || $0 == .borrowed }
    let waiting = loans.filter { $0.facts.state == .pending }.count
    return switch book.status {
    case .available: promised.isEmpty && waiting == 0
    case .requested: promised.isEmpty && waiting > 0 && waiting == book.waiting
    case .accepted: promised == [.accepted] && waiting == 0
    case .borrowed: promised == [.borrowed] && waiting == 0
    }
  }

  /// Whether the users who are left can make the book available by steps of their own.
  func canReturn() -> Bool {
    var model = self
    model.settle()
    let wayBack: [Step] = [.withdraw, .decline, .cancel, .confirmReturn]
    for _ in 0..<model.loans.count + 2 {
      guard let book = model.book, book.status != .available else { return true }
      for place in model.loans.indices {
        for user in model.present {
          for step in wayBack { model.take(step, by: user, on: place) }
        }
      }
    }
    return false
  }
}

@Suite("the course of loans of one book")
struct LoanCourseTests {
  private static let eventsOfEach = 60

  @Test(
    "[LE-13] [C-9] from every state that steps, account deletions, blocks and restarts lead to, those who are left bring it back"
  )
  func noStuckLoan() {
    for seed in 0..<2_000 {
      var (chance, model, course) = (SplitMix(seed: UInt64(seed)), BookModel(), [String]())
      for _ in 0..<Self.eventsOfEach {
        course.append(Self.happen(to: &model, &chance))
        #expect(model.isConsistent, "seed \(seed): \(course)")
        guard model.canReturn() else {
          Issue.record("seed \(seed): \(course.joined(separator: ", "))")
          return
        }
        if model.book == nil { break }
      }
    }
  }

  /// One random event; its description.
  private static func happen(to model: inout BookModel, _ chance: inout SplitMix) -> String {
    let (user, other) = (Int.random(in: 0..<4, using: &chance), Int.random(in: 0..<4, using: &chance))
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<2:
      model.depart(BookModel.user(user))
      return "account deletion of \(user)"
    case 2..<10:
      model.settle()
      return "the job runs"
    case 10..<12:
      model.block(BookModel.user(user), BookModel.user(other))
      return "\(user) blocks \(other)"
    case 12..<14:
      // The job may be done again after it was done.
      model.restart()
      return "restart"
    case 14..<34:
      model.request(by: BookModel.user(user))
      return "request of \(user)"
    default:
      guard !model.loans.isEmpty else { return "nothing" }
      let place = Int.random(in: 0..<model.loans.count, using: &chance)
      let step = Step.allCases[Int.random(in: 0..<Step.allCases.count, using: &chance)]
      let changed = model.take(step, by: BookModel.user(user), on: place)
      return changed ? "\(step) of \(user) on \(place)" : "nothing"
    }
  }

  @Test(
    "[LE-10] [C-9] one confirmation of the return and an account deletion, in either order, complete the loan",
    arguments: Party.allCases, Party.allCases)
  func confirmationAndDeparture(confirming: Party, leaving: Party) throws {
    let ids: [Party: UserID] = [.owner: BookModel.user(0), .borrower: BookModel.user(1)]
    let borrowed = LoanFacts(
      ownerID: ids[.owner], borrowerID: ids[.borrower], state: .borrowed, handover: [.owner, .borrower])
    let book = BookFacts(
      ownerID: ids[.owner], isbn: BookModel.isbn, status: .borrowed, waiting: 0, isRetired: false)

    var confirmed = borrowed
    confirmed.giveBack = [confirming]
    let closing = try BookStatus.close(confirmed, of: book, by: leaving)
    #expect(closing?.step == .return && closing?.state == .returned && closing?.status == .available)

    guard confirming != leaving, let user = ids[confirming] else { return }
    #expect(try BookStatus.close(borrowed, of: book, by: leaving) == nil, "nobody has confirmed")
    var left = borrowed
    if leaving == .owner { left.ownerID = nil } else { left.borrowerID = nil }
    let alone = try BookStatus.confirm(.giveBack, by: user, scanning: BookModel.isbn, left, of: book)
    #expect(alone?.step == .return && alone?.status == .available)
    left.giveBack = [confirming]
    let again = try BookStatus.confirm(.giveBack, by: user, scanning: BookModel.isbn, left, of: book)
    #expect(again?.step == .return, "a confirmation from before the account deletion does not stand in the way")
  }
}
