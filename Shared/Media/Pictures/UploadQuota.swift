/// How often somebody may upload a picture, whatever becomes of it.
enum UploadQuota {
  /// Enough for somebody who cannot decide, and far less than would keep the decoders busy.
  static let uploads: Int32 = 30
  /// From the first of them on.
  static let window: Duration = .seconds(3_600)
}
