// Made from replays.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Removes the stored responses to a user's requests ([C-9]). The rows are found by the first column of their key.
public struct DeleteIdempotencyKeysOfUser: Statement {
  public typealias Row = Void
  public static let sql = """
    delete from replays where caller = $1::uuid::text
    """
  public let userID: UserID

  public init(userID: UserID) {
    self.userID = userID
  }

  public func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
