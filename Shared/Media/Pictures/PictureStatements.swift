import Expiry
import Identifiers
import Images
import Postgres

/// Adds a picture.
struct InsertPicture: Statement {
  typealias Row = Void
  static let sql = "insert into pictures (id, holder_id, content_hash, uploaded_at) values ($1, $2, $3, $4)"
  let picture: StoredPicture
  let holder: UUID7

  func bind(_ p: inout Parameters) {
    p.append(picture.id)
    p.append(holder)
    p.append(picture.contentHash)
    p.append(picture.uploadedAt)
  }
}

/// Adds one size of a picture.
struct InsertRendition: Statement {
  typealias Row = Void
  static let sql = """
    insert into picture_renditions (picture_id, size, media_type, width, height, byte_count)
    values ($1, $2, $3, $4, $5, $6)
    """
  let pictureID: PictureID
  let rendition: Rendition

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(rendition.size.rawValue)
    p.append(rendition.format.mediaType)
    p.append(Int32(rendition.width))
    p.append(Int32(rendition.height))
    p.append(Int32(rendition.bytes.count))
  }
}

/// Adds a chunk of a rendition's file.
struct InsertChunk: Statement {
  typealias Row = Void
  static let sql = "insert into picture_chunks (picture_id, size, number, bytes) values ($1, $2, $3, $4)"
  let pictureID: PictureID
  let size: PictureSize
  let number: Int32
  let bytes: [UInt8]

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(size.rawValue)
    p.append(number)
    p.append(bytes)
  }
}

/// The pictures of a holder in all their sizes, one row for each size; the oldest first, then the largest size.
struct RenditionsOfHolder: Statement {
  struct Row: Sendable {
    let id: PictureID
    let contentHash: [UInt8]
    let uploadedAt: Instant
    let rendition: StoredPicture.Rendition
  }

  static let sql = """
    select id, content_hash, uploaded_at, size, media_type, width, height, byte_count
    from pictures join picture_renditions on picture_id = id
    where holder_id = $1
    order by id, size
    """
  let holder: UUID7

  func bind(_ p: inout Parameters) { p.append(holder) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), contentHash: try row.next(), uploadedAt: try row.next(),
      rendition: try decodeRendition(row))
  }

  private static func decodeRendition(_ row: borrowing RowReader) throws(ColumnError) -> StoredPicture.Rendition {
    let name: String = try row.next()
    guard let size = PictureSize(rawValue: name) else { throw ColumnError("there is no size called \(name)") }
    let mediaType: String = try row.next()
    let (width, height, byteCount): (Int32, Int32, Int32) = (try row.next(), try row.next(), try row.next())
    return StoredPicture.Rendition(
      size: size, mediaType: mediaType, width: Int(width), height: Int(height), byteCount: Int(byteCount))
  }
}

/// Removes every picture of a holder; one row for each.
struct DeletePictures: Statement {
  typealias Row = PictureID
  static let sql = "delete from pictures where holder_id = $1 returning id"
  let holder: UUID7

  func bind(_ p: inout Parameters) { p.append(holder) }
}

/// Removes one picture of a holder; no row where there is none.
struct DeletePicture: Statement {
  typealias Row = PictureID
  static let sql = "delete from pictures where id = $1 and holder_id = $2 returning id"
  let id: PictureID
  let holder: UUID7

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(holder)
  }
}

/// One chunk of a rendition's file; no row when the picture is gone.
struct PictureChunk: Statement {
  static let sql = "select bytes from picture_chunks where picture_id = $1 and size = $2 and number = $3"
  let pictureID: PictureID
  let size: PictureSize
  let number: Int32

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(size.rawValue)
    p.append(number)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> [UInt8] { try row.next() }
}

/// Counts an upload of a user; returns the start of the window and the uploads in it, a refused one included.
struct TakeUpload: Statement {
  static let sql = """
    insert into picture_quotas as quota (person_id, began_at, uploads) values ($1, $2, 1)
    on conflict on constraint picture_quotas_pkey do update set
      began_at = case when quota.began_at <= $3 then excluded.began_at else quota.began_at end,
      uploads = case when quota.began_at <= $3 then 1 else least(quota.uploads, $4) + 1 end
    returning began_at, uploads
    """
  let user: UUID7
  let now: Instant
  let limit: Int32

  func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(now)
    p.append(now - UploadQuota.window)
    p.append(limit)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> (beganAt: Instant, uploads: Int32) {
    (beganAt: try row.next(), uploads: try row.next())
  }
}

/// Removes some counts whose window is over.
package struct DeleteOldQuotas: ExpiryStatement {
  package static let kept = UploadQuota.window
  package static let sql = """
    delete from picture_quotas where person_id in (
      select person_id from picture_quotas where began_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
