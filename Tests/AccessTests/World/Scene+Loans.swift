import TTRPC
import TandemLending
import Testing

/// Loans that the table's requests are about.
extension Scene {
  /// A book with a request, or with the loan that followed.
  struct Deal {
    let book: String
    let loan: String
  }

  /// Performs the steps of `before` that concern loans; `false` for any other.
  mutating func performWithLoans(_ step: String) async throws -> Bool {
    // Owner and blocked user cannot request books from one another.
    let other = subject == world.cast.stranger ? world.cast.member : world.cast.stranger
    switch step {
    // The caller requests a book of another user, has one requested, or has lent one.
    case "ownRequest": _ = try await request(by: subject, to: other)
    case "foreignRequest": _ = try await request(by: other, to: subject)
    case "lentBookOut": _ = try await borrowed(by: other, from: subject)
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns loans: of the owner, to the member.
  mutating func prepareLoan(_ name: String) async throws {
    let (owner, member) = (world.cast.owner, world.cast.member)
    switch name {
    case "request", "requestedBook":
      let deal = try await request(by: member, to: owner)
      (values["request"], values["requestedBook"]) = (deal.loan, deal.book)
    case "acceptedLoan": values[name] = try await accepted(by: owner, for: member).loan
    case "recalledLoan":
      let loan = try await borrowed(by: member, from: owner).loan
      try await world.sql("update lending.loans set recalled_at = '2025-12-01' where id = '\(loan)'")
      values[name] = loan
    case "borrowedLoan", "borrowedBook":
      let deal = try await borrowed(by: member, from: owner)
      (values["borrowedLoan"], values["borrowedBook"]) = (deal.loan, deal.book)
    default: break
    }
  }

  private var loans: LoansClient { get throws { LoansClient(try world.server("lending").client()) } }

  private func request(by borrower: CastMember, to owner: CastMember) async throws -> Deal {
    let book = try await book(of: owner, .available)
    let loan = try await loans.requestBook(
      RequestBookRequest(bookID: book), try await borrower.options(at: world.identity))
    return Deal(book: book, loan: loan.loanID)
  }

  private func accepted(by owner: CastMember, for borrower: CastMember) async throws -> Deal {
    let deal = try await request(by: borrower, to: owner)
    let acceptance = AcceptRequestRequest(
      loanID: deal.loan, pickup: Pickup(place: .point(Point(latitude: 1.3, longitude: 103.8))),
      dueDate: .init(year: 2026, month: 2, day: 1), timeZone: "UTC")
    _ = try await loans.acceptRequest(acceptance, try await owner.options(at: world.identity))
    return deal
  }

  private func borrowed(by borrower: CastMember, from owner: CastMember) async throws -> Deal {
    let deal = try await accepted(by: owner, for: borrower)
    let confirmation = ConfirmHandoverRequest(loanID: deal.loan, isbn: Self.isbn)
    for party in [owner, borrower] {
      _ = try await loans.confirmHandover(confirmation, try await party.options(at: world.identity))
    }
    return deal
  }
}
