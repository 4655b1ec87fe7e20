// Made from pictures.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Images
import Postgres

/// One size of a picture.
struct RenditionColumns: Sendable {
  let size: PictureSize
  let mediaType: String
  let width: Int32
  let height: Int32
  let byteCount: Int32

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> RenditionColumns {
    RenditionColumns(
      size: try row.next(), mediaType: try row.next(), width: try row.next(), height: try row.next(),
      byteCount: try row.next())
  }
}

/// Adds a picture.
struct InsertPicture: Statement {
  typealias Row = Void
  static let sql = """
    insert into pictures (id, holder_id, content_hash, uploaded_at)
    values ($1, $2, $3, $4)
    """
  let pictureID: PictureID
  let holderID: UUID7
  let contentHash: [UInt8]
  let uploadedAt: Instant

  init(pictureID: PictureID, holderID: UUID7, contentHash: [UInt8], uploadedAt: Instant) {
    self.pictureID = pictureID
    self.holderID = holderID
    self.contentHash = contentHash
    self.uploadedAt = uploadedAt
  }

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(holderID)
    p.append(contentHash)
    p.append(uploadedAt)
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
  let size: PictureSize
  let mediaType: String
  let width: Int32
  let height: Int32
  let byteCount: Int32

  init(pictureID: PictureID, size: PictureSize, mediaType: String, width: Int32, height: Int32, byteCount: Int32) {
    self.pictureID = pictureID
    self.size = size
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.byteCount = byteCount
  }

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(size)
    p.append(mediaType)
    p.append(width)
    p.append(height)
    p.append(byteCount)
  }
}

/// Adds a chunk of a rendition's file.
struct InsertChunk: Statement {
  typealias Row = Void
  static let sql = """
    insert into picture_chunks (picture_id, size, number, bytes) values ($1, $2, $3, $4)
    """
  let pictureID: PictureID
  let size: PictureSize
  let number: Int32
  let bytes: [UInt8]

  init(pictureID: PictureID, size: PictureSize, number: Int32, bytes: [UInt8]) {
    self.pictureID = pictureID
    self.size = size
    self.number = number
    self.bytes = bytes
  }

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(size)
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
  let holderID: UUID7

  init(holderID: UUID7) {
    self.holderID = holderID
  }

  func bind(_ p: inout Parameters) {
    p.append(holderID)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), contentHash: try row.next(), uploadedAt: try row.next(),
      rendition: try StoredPicture.Rendition(RenditionColumns.decode(row)))
  }
}

/// Removes every picture of a holder; one row for each.
struct DeletePictures: Statement {
  typealias Row = PictureID
  static let sql = """
    delete from pictures where holder_id = $1 returning id
    """
  let holderID: UUID7

  init(holderID: UUID7) {
    self.holderID = holderID
  }

  func bind(_ p: inout Parameters) {
    p.append(holderID)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes one picture of a holder; no row where there is none.
struct DeletePicture: SingleRowStatement {
  typealias Row = PictureID
  static let sql = """
    delete from pictures where id = $1 and holder_id = $2 returning id
    """
  let pictureID: PictureID
  let holderID: UUID7

  init(pictureID: PictureID, holderID: UUID7) {
    self.pictureID = pictureID
    self.holderID = holderID
  }

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(holderID)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// One chunk of a rendition's file; no row when the picture is gone.
struct PictureChunk: SingleRowStatement {
  typealias Row = [UInt8]
  static let sql = """
    select bytes from picture_chunks where picture_id = $1 and size = $2 and number = $3
    """
  let pictureID: PictureID
  let size: PictureSize
  let number: Int32

  init(pictureID: PictureID, size: PictureSize, number: Int32) {
    self.pictureID = pictureID
    self.size = size
    self.number = number
  }

  func bind(_ p: inout Parameters) {
    p.append(pictureID)
    p.append(size)
    p.append(number)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
