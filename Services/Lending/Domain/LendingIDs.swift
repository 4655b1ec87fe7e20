import Identifiers

/// A copy of a book that a user owns.
public enum OwnedBook {}
public typealias BookID = Identifier<OwnedBook>
/// A request for a book, and the loan that may follow.
public enum BookLoan {}
public typealias LoanID = Identifier<BookLoan>
