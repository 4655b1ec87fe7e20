public import Postgres

/// The tables of pictures, the same in every service's schema that has pictures.
///
/// The service's next step adds the holder: a foreign key from `pictures.holder_id` that deletes pictures with their
/// holder.
public enum PicturesSchema {
  /// The step that makes the tables.
  ///
  /// - Parameter version: its number among the service's migrations.
  public static func migration(version: Int) -> Migration {
    Migration(version: version, name: "pictures", bytes: PackageResources.pictures_sql)
  }

  /// Every statement of the module, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertPicture.self, InsertRendition.self, InsertChunk.self, RenditionsOfHolder.self, DeletePictures.self,
    DeletePicture.self,
    PictureChunk.self, TakeUpload.self, DeleteOldQuotas.self,
  ]
}
