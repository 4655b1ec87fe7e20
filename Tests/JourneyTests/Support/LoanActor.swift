import Environment
import Foundation
import TTRPC
import TandemIdentity
import TandemLending
import TestSupport
import Testing

/// A user who owns books, requests others' books, and takes random steps with both.
struct LoanActor: Sendable {
  /// An acknowledged step: it must be in the history whatever was killed.
  struct Acknowledgement: Sendable, Hashable {
    let loan: String
    let actor: String
    /// One of these steps was taken.
    let steps: [String]
  }

  let suite: ThreeServices
  let chance: SeededRandomness
  /// The ids of all books that were added, shared by all actors.
  let books: Gathered<String>
  /// The ids of users who deleted their accounts.
  let departed: Gathered<String>
  /// One step of so many is the deletion of the account; `nil` if none is.
  let stepsToDeparture: Int?
  let isbn: String
  let acknowledged: Gathered<Acknowledgement>
  /// Refusals that no rule explains.
  let surprises: Gathered<String>

  private static let place = Pickup(place: .point(Point(latitude: 51.53, longitude: -0.127)))
  /// Refusals that are expected when two users act concurrently, or a book is in another state.
  private static let expected: Set<String> = [
    "OWN_BOOK", "ALREADY_REQUESTED", "NOT_REQUESTABLE", "NOT_PENDING", "NOT_ACCEPTED", "NOT_BORROWED",
    "CONCURRENT_CHANGE", "ASKED_TOO_OFTEN", "BOOK_NOT_FOUND",
  ]

  private func below(_ count: Int) -> Int { Int(chance.uint64() % UInt64(count)) }

  private func pick<Element>(_ list: [Element]) -> Element? { list.isEmpty ? nil : list[below(list.count)] }

  /// Takes so many steps; a step that failed because a process was killed is not repeated.
  func act(_ times: Int, as member: ThreeServices.Member) async throws {
    var left = times
    try await act(as: member) {
      left -= 1
      return left >= 0
    }
  }

  /// Takes steps for as long as the user goes on; a step that failed because a process was killed is not repeated.
  func act(as member: ThreeServices.Member, while goesOn: () async throws -> Bool) async throws {
    var (member, departures) = (member, 0)
    while try await goesOn() {
      do {
        if let stepsToDeparture, below(stepsToDeparture) == 0 {
          departures += 1
          member = try await replace(member, departures)
        } else {
          try await step(member)
        }
      } catch let status as Status where status.code == .unauthenticated {
        member = try await suite.loginAgain(member)
      } catch let status as Status where status.isPassing {
        // The killed process is restarted soon; the pause is not measured.
        try await Task.sleep(for: .milliseconds(20))
      } catch let status as Status {
        if !Self.expected.contains(status.reason ?? "") { surprises.add("\(status)") }
      }
    }
  }

  private func step(_ member: ThreeServices.Member) async throws {
    let options = CallOptions.token(member.token, timeout: .seconds(5))
    switch below(10) {
    case 0...3: try await request(member, options)
    case 4, 5: try await answer(member, options)
    case 6: try await withdraw(member, options)
    case 7, 8: try await exchange(.accepted, member, options)
    default: try await exchange(.borrowed, member, options)
    }
  }

  /// Deletes the user's account, whatever is lent; another user joins and adds a book.
  private func replace(_ member: ThreeServices.Member, _ departures: Int) async throws -> ThreeServices.Member {
    departed.add(member.id)
    try await suite.leave(member)
    let next = try await suite.joinPatiently("\(member.name.prefix { $0 != "." }).\(departures)")
    do {
      books.add(try await suite.add("Book of \(next.name)", isbn: isbn, as: next).bookID)
    } catch let status as Status where status.isPassing {
      // The user goes on without a book of their own.
    }
    return next
  }

  private func note(_ loan: Loan, _ member: ThreeServices.Member, _ steps: String...) {
    acknowledged.add(Acknowledgement(loan: loan.loanID, actor: member.id, steps: steps))
  }

  private func request(_ member: ThreeServices.Member, _ options: CallOptions) async throws {
    guard let book = pick(books.all) else { return }
    note(try await suite.loans.requestBook(RequestBookRequest(bookID: book), options), member, "REQUEST")
  }

  private func answer(_ member: ThreeServices.Member, _ options: CallOptions) async throws {
    let asked = try await suite.loans.listRequestedBooks(ListRequestedBooksRequest(), options).books
    guard let book = pick(asked) else { return }
    let waiting = try await suite.loans.listRequests(ListRequestsRequest(bookID: book.bookID), options).loans
      .filter { $0.state == .pending }
    guard let loan = pick(waiting) else { return }
    if below(4) == 0 {
      note(
        try await suite.loans.declineRequest(DeclineRequestRequest(loanID: loan.loanID), options), member, "DECLINE")
    } else {
      let call = AcceptRequestRequest(loanID: loan.loanID, pickup: Self.place)
      note(try await suite.loans.acceptRequest(call, options), member, "ACCEPT")
    }
  }

  private func withdraw(_ member: ThreeServices.Member, _ options: CallOptions) async throws {
    let mine = try await suite.loans.listMyRequests(ListMyRequestsRequest(state: .pending), options).loans
    guard let loan = pick(mine) else { return }
    note(
      try await suite.loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), options), member, "WITHDRAW")
  }

  private func exchange(
    _ state: LoanState, _ member: ThreeServices.Member, _ options: CallOptions
  ) async throws {
    let mine = try await suite.loans.listMyRequests(ListMyRequestsRequest(state: state), options).loans
    let lent = try await suite.loans.listLentBooks(ListLentBooksRequest(), options).loans.filter { $0.state == state }
    guard let loan = pick(mine + lent) else { return }
    if state == .accepted, below(8) == 0 {
      return note(try await suite.loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), options), member, "CANCEL")
    }
    if state == .accepted {
      let call = ConfirmHandoverRequest(loanID: loan.loanID, isbn: isbn)
      note(try await suite.loans.confirmHandover(call, options), member, "CONFIRM_HANDOVER", "HAND_OVER")
    } else {
      let comment = loan.borrowerID == member.id ? "Comment on \(loan.loanID)" : ""
      let call = ConfirmReturnRequest(loanID: loan.loanID, isbn: isbn, comment: comment)
      note(try await suite.loans.confirmReturn(call, options), member, "CONFIRM_RETURN", "RETURN")
    }
  }
}

extension Status {
  /// Whether it says only that a service is unavailable for now.
  var isPassing: Bool {
    [.unavailable, .deadlineExceeded, .cancelled, .resourceExhausted].contains(code)
  }
}

extension ThreeServices {
  /// Registers as soon as identity is available; each attempt has a name of its own, as the one before may have been stored.
  func joinPatiently(_ name: String) async throws -> Member {
    let attempts = Gathered<Int>()
    return try await patiently("\(name) has joined") {
      attempts.add(1)
      let attempt = attempts.all.count
      do { return try await join(attempt == 1 ? name : "\(name)_\(attempt)") } catch is CancellationError {
        throw CancellationError()
      } catch { return nil }
    }
  }

  /// Deletes a user's account, repeating the call until identity has done so.
  func leave(_ member: Member) async throws {
    try await patiently("\(member.name) has left") {
      do {
        let call = LoginRequest(emailOrUsername: member.name, password: Self.password)
        let token = try await accounts.login(call, CallOptions(timeout: .seconds(10))).accessToken
        _ = try await accounts.deleteAccount(
          DeleteAccountRequest(password: Self.password), .token(token, timeout: .seconds(10)))
        return ()
      } catch let status as Status where status.code == .unauthenticated { return () } catch is Status { return nil }
    }
  }
}
