public import AccountDeletions
public import Expiry
import Images
import Postgres

/// The tables of pictures, the same in every service's schema that has pictures.
///
/// The service's next step adds the holder: a foreign key from `pictures.holder_id` that deletes pictures with their
/// holder.
public enum PicturesSchema {}

extension DeleteOldQuotas: ExpiryStatement {
  public static let kept = UploadQuota.window
}

extension DeleteQuotaOfUser: AccountDeletionStatement {
  /// Every user who uploaded a picture recently.
  public static let users = "select user_id from picture_quotas"
}

extension PictureSize: ColumnValue {}
