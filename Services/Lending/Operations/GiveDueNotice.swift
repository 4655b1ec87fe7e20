import Identifiers
import LendingDomain
import LendingStore
import Postgres
import TandemEvents

extension LoanOperations {
  /// Notifies the borrower of a loan, if there is still reason to ([LE-12]).
  package func giveDueNotice(_ notice: DueNotice, of id: LoanID, at now: Instant, _ tx: Transaction) async throws {
    guard let (loan, _) = try await lockedIfThere(id, tx), notice.isDue(loan.facts, due: loan.due, at: now)
    else { return }
    let (kind, news) = notice.notification(of: loan)
    try await transitions.notify([loan.borrowerID], "loans/\(loan.id)/\(kind)", news, of: loan, tx)
  }
}

extension DueNotice {
  /// The end of the notification's key, which no two notices of a loan share, and its text.
  fileprivate func notification(of loan: StoredLoan) -> (kind: String, news: NotificationRequested.News) {
    switch self {
    case .reminder: ("due", .loanDue(.init(title: loan.title)))
    case .overdue: ("overdue", .loanOverdue(.init(title: loan.title)))
    case .lastCall:
      ("last_call", .loanLastCall(.init(title: loan.title, userID: loan.ownerID?.description ?? "")))
    }
  }
}
