import Identifiers

/// A copy of a book that somebody owns.
public enum OwnedBook {}
/// See ``OwnedBook``.
public typealias BookID = Identifier<OwnedBook>
/// A request for a book, and what becomes of it.
public enum BookLoan {}
/// See ``BookLoan``.
public typealias LoanID = Identifier<BookLoan>
