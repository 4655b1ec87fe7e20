import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Postgres
import Usernames

/// The schema of lending, and its statements.
package enum LendingSchema {
  package static let name = "lending"

  /// What is done at once when an account is deleted ([C-9]). A job closes and removes what books and loans hold of the user, one book at a
  /// time, as each step is published and locks its book first.
  package static let removals: [any AccountDeletionStatement.Type] = [
    MarkAccountDeleted.self, DeleteBlocksOfUser.self, DeleteIdempotencyKeysOfUser.self,
  ]
}

extension MarkAccountDeleted: AccountDeletionStatement {
  package static let users = """
    select id from users where not deleted
    union all select owner_id from books
    union all select borrower_id from loans
    """
}
