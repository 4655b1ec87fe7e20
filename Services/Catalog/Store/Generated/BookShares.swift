// Made from book_shares.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A stored link to a book.
package struct StoredBookShare: Sendable, RowDecodable {
  package let id: BookShareID
  package let bookID: BookID
  package let createdAt: Instant

  package init(id: BookShareID, bookID: BookID, createdAt: Instant) {
    self.id = id
    self.bookID = bookID
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBookShare {
    StoredBookShare(id: try row.next(), bookID: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to a book that the transaction has locked; no row if the book has the most links.
package struct InsertBookShare: SingleRowStatement {
  package typealias Row = StoredBookShare
  package static let sql = """
    insert into book_shares as share (id, book_id, place, owner_id, token_hash, created_at)
    select $1, $2, free.place, $3, $4, $5
    from generate_series(1, 20) as free (place)
    where not exists (select from book_shares where book_id = $2 and book_shares.place = free.place)
    order by free.place
    limit 1
    returning share.id, share.book_id, share.created_at
    """
  package let bookShareID: BookShareID
  package let bookID: BookID
  package let ownerID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(bookShareID: BookShareID, bookID: BookID, ownerID: UserID, tokenHash: [UInt8], now: Instant) {
    self.bookShareID = bookShareID
    self.bookID = bookID
    self.ownerID = ownerID
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookShareID)
    p.append(bookID)
    p.append(ownerID)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBookShare.decode(row)
  }
}

/// The links to a book, the newest first: there are 20 at most.
package struct SharesOfBook: Statement {
  package typealias Row = StoredBookShare
  package static let sql = """
    select share.id, share.book_id, share.created_at from book_shares as share where share.book_id = $1 order by share.id desc
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBookShare.decode(row)
  }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteBookShare: SingleRowStatement {
  package typealias Row = BookShareID
  package static let sql = """
    delete from book_shares where id = $1 and owner_id = $2 returning id
    """
  package let bookShareID: BookShareID
  package let ownerID: UserID

  package init(bookShareID: BookShareID, ownerID: UserID) {
    self.bookShareID = bookShareID
    self.ownerID = ownerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookShareID)
    p.append(ownerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The book that a link shares, unless it was deleted or is on hold ([CA-29]), with its oldest photograph.
package struct SharedBookByToken: SingleRowStatement {
  package struct Row: Sendable {
    package let bookID: BookID
    package let isbn: ISBN
    package let title: String
    package let authors: [String]
    package let year: Int32?
    package let language: String
    /// Its file in the size that fits into 256 by 256 pixels; `nil` without one.
    package let photo: [UInt8]?
    /// Of `photo`.
    package let photoMediaType: String?
  }

  package static let sql = """
    select
      book.id as book_id, book.isbn, book.title, book.authors, book.year, book.language, photo.bytes as photo,
      photo.media_type as photo_media_type
    from book_shares as share
    join books as book on book.id = share.book_id
    left join lateral (
      select
        rendition.media_type,
        (
          select string_agg(chunk.bytes, ''::bytea order by chunk.number) from picture_chunks as chunk
          where chunk.picture_id = rendition.picture_id and chunk.size = rendition.size
        ) as bytes
      from pictures as picture
      join picture_renditions as rendition on rendition.picture_id = picture.id and rendition.size = 'THUMBNAIL_256'
      where picture.holder_id = book.id
      order by picture.id
      limit 1
    ) as photo on true
    where share.token_hash = $1 and book.deleted_at is null and not book.on_hold
      and share.owner_id <> all(array(select user_id from erasures))
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      bookID: try row.next(), isbn: try row.next(), title: try row.next(), authors: try row.next(),
      year: try row.next(), language: try row.next(), photo: try row.next(), photoMediaType: try row.next())
  }
}
