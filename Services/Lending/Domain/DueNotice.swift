import Identifiers

/// What the borrower of a book is told about its return ([LE-12]).
public enum DueNotice: Sendable, Hashable, CaseIterable {
  /// The book is due tomorrow.
  case reminder
  /// The last day is over.
  case overdue
  /// The owner may soon declare the recalled book lost.
  case lastCall

  /// Whether there is reason to: the borrower still has the book and has not confirmed the return.
  public func isDue(_ loan: LoanFacts, due: DueDate?, at now: Instant) -> Bool {
    guard loan.state == .borrowed, !loan.giveBack.contains(.borrower) else { return false }
    switch self {
    case .reminder: return due.map { now < $0.endsAt } ?? false
    case .overdue: return due.map { now >= $0.endsAt } ?? false
    case .lastCall: return loan.isRecalled
    }
  }
}
