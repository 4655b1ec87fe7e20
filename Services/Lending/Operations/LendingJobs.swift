import Jobs

extension JobKind where Payload == String {
  /// Reminds the borrower the day before a book is due; payload and key are the loan's id ([LE-12]).
  package static let dueReminder = JobKind("due_reminder")
  /// Notifies the borrower that a book is overdue; payload and key are the loan's id ([LE-12]).
  package static let overdueNotice = JobKind("overdue_notice")
  /// Tells the borrower of a recalled book that the owner may soon declare it lost; payload and key are the loan's id ([LE-12]).
  package static let lastCall = JobKind("last_call")
  /// Closes open requests and loans of users who deleted their accounts, and removes what is stored about them; at most one such job exists
  /// ([C-9]).
  package static let settleDeletedAccounts = JobKind("settle_departures")
  /// Completes returns that one party confirmed before the other deleted the account; at most one such job exists, and a migration schedules
  /// it ([LE-10], [C-9]).
  package static let completeReturns = JobKind("complete_returns")
  /// Closes the requests between two users of whom one has blocked the other; payload and key are both ids, separated by a slash, the
  /// blocker's first ([C-10]).
  package static let closeBlockedRequests = JobKind("separate_people")
  /// Closes all pending requests between users of whom one has blocked the other, after events of blocks were missed; at most one such job
  /// exists ([C-10]).
  package static let closeAllBlockedRequests = JobKind("separate_everybody")
}
