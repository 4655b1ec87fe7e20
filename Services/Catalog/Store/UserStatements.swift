import AccountDeletions

extension MarkAccountDeleted: AccountDeletionStatement {
  package static let users = "select id from users where not deleted"
}

extension BeginErasure: AccountDeletionStatement {
  package static let users = """
    select author_id from comments union all select owner_id from books union all select owner_id from workout_logs
    union all select owner_id from deleted_workout_logs union all select owner_id from workouts
    union all select borrower_id from past_loans union all select user_id from book_ratings
    """
}

extension ForgetBorrower: AccountDeletionStatement {
  package static let users = "select borrower_id from books"
}
