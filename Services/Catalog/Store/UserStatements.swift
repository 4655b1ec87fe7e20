import AccountDeletions

extension MarkAccountDeleted: AccountDeletionStatement {
  package static let users = "select id from users where not deleted"
}

extension DeleteCommentsOfUser: AccountDeletionStatement {
  package static let users = "select author_id from comments"
}

extension DeleteBooksOfUser: AccountDeletionStatement {
  package static let users = "select owner_id from books"
}

extension ForgetBorrower: AccountDeletionStatement {
  package static let users = "select borrower_id from books"
}

extension DeletePastLoansOfUser: AccountDeletionStatement {
  package static let users = "select borrower_id from past_loans"
}

extension DeleteRatingsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from book_ratings"
}
