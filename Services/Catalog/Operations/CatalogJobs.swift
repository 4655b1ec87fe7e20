import Jobs

extension JobKind where Payload == String {
  /// Completes or abandons a deletion that lending may have been asked for; payload and key are the book's id ([CA-24]).
  package static let bookDeletion = JobKind("book_deletion")
}
