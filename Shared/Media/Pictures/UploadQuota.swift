/// How often a user may upload a picture, whether or not it is stored.
enum UploadQuota {
  /// Enough for a user who tries many pictures, and far less than would keep the decoders busy.
  static let uploads: Int32 = 30
  /// Counted from the first upload.
  static let window: Duration = .seconds(3_600)
}
