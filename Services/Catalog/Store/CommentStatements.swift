import CatalogDomain
import Identifiers
import Postgres

/// A comment as it is stored.
package struct StoredComment: Sendable {
  package let id: CommentID
  package let authorID: PersonID
  /// Empty until identity told it.
  package let authorUsername: String
  package let text: String
  package let createdAt: Instant

  static let columns = "comment.id, comment.author_id, coalesce(author.username, ''), comment.text, comment.created_at"

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredComment {
    StoredComment(
      id: try row.next(), authorID: try row.next(), authorUsername: try row.next(), text: try row.next(),
      createdAt: try row.next())
  }
}

/// Keeps what a person said whom ``EnterPerson`` let in; no row where the book is not there any more, or its owner is not
/// there for the person ([C-10]).
package struct InsertComment: Statement {
  package static let sql = """
    with comment as (
      insert into comments (id, book_id, author_id, text, created_at)
      select $1, book.id, $3, $4, $5 from books as book
      where book.id = $2 and book.deleted_at is null and \(Visibility.sql("book.owner_id", "$3"))
      for share
      returning *
    )
    select \(StoredComment.columns) from comment left join people as author on author.id = comment.author_id
    """
  let id: CommentID
  let book: BookID
  let author: PersonID
  let text: CommentText
  let now: Instant

  package init(_ id: CommentID, on book: BookID, by author: PersonID, _ text: CommentText, now: Instant) {
    self.id = id
    self.book = book
    self.author = author
    self.text = text
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(book)
    p.append(author)
    p.append(text.text)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredComment { try .decode(row) }
}

/// Keeps what a borrower whom ``EnterPerson`` let in said while giving a book back, once for each loan ([LE-10]); nothing happens where it is
/// kept already, or the book is not there any more.
package struct InsertReturnComment: Statement {
  package typealias Row = Void
  package static let sql = """
    with noted as (
      insert into return_comments (loan_id, book_id)
      select $6, book.id from books as book where book.id = $2 and book.deleted_at is null
      on conflict on constraint return_comments_pkey do nothing
      returning book_id
    )
    insert into comments (id, book_id, author_id, text, created_at)
    select $1, noted.book_id, $3, $4, $5 from noted
    """
  let id: CommentID
  let book: BookID
  let author: PersonID
  let text: CommentText
  let loan: UUID7
  let now: Instant

  /// - Parameter loan: lending's id of the loan that the comment ends.
  package init(
    _ id: CommentID, on book: BookID, by author: PersonID, _ text: CommentText, endingLoan loan: UUID7, now: Instant
  ) {
    self.id = id
    self.book = book
    self.author = author
    self.text = text
    self.loan = loan
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(book)
    p.append(author)
    p.append(text.text)
    p.append(now)
    p.append(loan)
  }
}

/// A page of what was said about a book by those whom the viewer sees, the newest first ([CA-27], [C-10]).
package struct CommentsBefore: Statement {
  package static let sql = """
    select \(StoredComment.columns)
    from comments as comment left join people as author on author.id = comment.author_id
    where comment.book_id = $1 and ($2::uuid is null or comment.id < $2)
      and \(Visibility.sql("comment.author_id", "$4"))
    order by comment.id desc
    limit $3
    """
  let book: BookID
  let viewer: PersonID
  let before: CommentID?
  let limit: Int64

  package init(on book: BookID, seenBy viewer: PersonID, before: CommentID?, limit: Int64) {
    self.book = book
    self.viewer = viewer
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(before)
    p.append(limit)
    p.append(viewer)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredComment { try .decode(row) }
}
