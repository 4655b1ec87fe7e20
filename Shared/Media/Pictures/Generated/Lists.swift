// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension PicturesSchema {
  /// `pictures.sql`, as a schema's migration number `version`.
  public static func pictures(version: Int) -> Migration {
    Migration(version: version, name: "pictures", bytes: PackageResources.pictures_sql)
  }

  /// `picture_users.sql`, as a schema's migration number `version`.
  public static func pictureUsers(version: Int) -> Migration {
    Migration(version: version, name: "picture_users", bytes: PackageResources.picture_users_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertPicture.self,
    InsertRendition.self,
    InsertChunk.self,
    RenditionsOfHolder.self,
    DeletePictures.self,
    DeletePicture.self,
    PictureChunk.self,
    TakeUpload.self,
    DeleteOldQuotas.self,
    DeleteQuotaOfUser.self,
  ]
}
