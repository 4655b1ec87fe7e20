import AccountDeletions
import Events
public import Identifiers
public import Postgres

/// Forgets what was counted of the uploads of a user who leaves ([C-9]); what a call that was under way still counts goes within the hour.
public struct DeleteQuotaOfUser: AccountDeletionStatement {
  /// Nothing comes back.
  public typealias Row = Void
  /// Finds the row by its key.
  public static let sql = "delete from picture_quotas where person_id = $1"
  /// Everybody who uploaded something of late.
  public static let users = "select person_id from picture_quotas"
  private let user: UserID

  /// - Parameter user: the account's id.
  public init(of user: UserID) { self.user = user }

  /// The one parameter.
  public func bind(_ p: inout Parameters) { p.append(user) }
}
