import AccountDeletions
import Events
public import Identifiers
public import Postgres

/// Removes a user's count of uploads ([C-9]); what a call in progress still counts is removed within the hour.
public struct DeleteQuotaOfUser: AccountDeletionStatement {
  public typealias Row = Void
  public static let sql = "delete from picture_quotas where person_id = $1"
  /// Every user who uploaded a picture recently.
  public static let users = "select person_id from picture_quotas"
  private let user: UserID

  public init(of user: UserID) { self.user = user }

  public func bind(_ p: inout Parameters) { p.append(user) }
}
