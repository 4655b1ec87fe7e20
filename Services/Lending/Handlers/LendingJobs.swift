import Jobs

extension JobKind where Payload == String {
  /// Reminds the borrower the day before a book is due; payload and key are the loan's id ([LE-12]).
  package static let dueReminder = JobKind("due_reminder")
  /// Tells the borrower that a book is overdue; payload and key are the loan's id ([LE-12]).
  package static let overdueNotice = JobKind("overdue_notice")
  /// Closes what is open of users who deleted their accounts, and removes what is kept of them; there is one at most ([C-9]).
  package static let settleDepartures = JobKind("settle_departures")
  /// Closes the requests between two users of whom one has blocked the other; payload and key are both ids with a slash between them, the
  /// blocker's first ([C-10]).
  package static let closeBlockedRequests = JobKind("separate_people")
  /// Closes all requests that wait although one of the two keeps the other away, after news of blocks was missed; there is one at most ([C-10]).
  package static let separateEverybody = JobKind("separate_everybody")
}
