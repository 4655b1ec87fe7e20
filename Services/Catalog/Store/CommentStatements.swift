import Blocks
import CatalogDomain
import Identifiers
import Postgres

/// A stored comment.
package struct StoredComment: Sendable {
  package let id: CommentID
  package let authorID: UserID
  /// Empty until identity has reported it.
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

/// Stores a comment of a user whom ``EnterUser`` has locked; no row if the book does not exist any more, or its owner is not visible to the
/// user ([C-10]).
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
  let author: UserID
  let text: CommentText
  let now: Instant

  package init(_ id: CommentID, on book: BookID, by author: UserID, _ text: CommentText, now: Instant) {
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

/// A borrower's comment on a return, as lending reports it ([LE-10]).
package struct ReturnComment: Sendable {
  let id: CommentID
  let loan: UUID7
  let book: BookID
  let author: UserID
  let text: CommentText
  let saidAt: Instant

  /// - Parameters:
  ///   - id: derived from the time of the comment, by which comments are listed.
  ///   - loan: lending's id of the loan that was returned.
  package init(
    _ id: CommentID, on book: BookID, by author: UserID, _ text: CommentText, endingLoan loan: UUID7,
    saidAt: Instant
  ) {
    (self.id, self.loan, self.book, self.author, self.text, self.saidAt) = (id, loan, book, author, text, saidAt)
  }
}

/// Stores borrowers' comments on returns, once for each loan ([LE-10]). Skipped are comments that are already stored, whose book does not
/// exist any more, or whose author has deleted the account: the authors' rows are locked, so that nothing is stored after the account
/// deletion ([C-9]).
package struct InsertReturnComments: Statement {
  package typealias Row = Void
  package static let sql = """
    with told as (
      select id, loan_id, book_id, author_id, text, said_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
        as comment (id, loan_id, book_id, author_id, text, said_at)
    ), present as (
      insert into people (id) select distinct author_id from told order by author_id
      on conflict on constraint people_pkey do update set departed = people.departed where not people.departed
      returning id
    ), noted as (
      insert into return_comments (loan_id, book_id)
      select told.loan_id, book.id
      from told join present on present.id = told.author_id
      join books as book on book.id = told.book_id and book.deleted_at is null
      on conflict on constraint return_comments_pkey do nothing
      returning loan_id
    )
    insert into comments (id, book_id, author_id, text, created_at)
    select told.id, told.book_id, told.author_id, told.text, told.said_at
    from told join noted on noted.loan_id = told.loan_id
    """
  let comments: [ReturnComment]

  package init(_ comments: [ReturnComment]) { self.comments = comments }

  package func bind(_ p: inout Parameters) {
    p.append(comments.map(\.id))
    p.append(comments.map(\.loan))
    p.append(comments.map(\.book))
    p.append(comments.map(\.author))
    p.append(comments.map(\.text.text))
    p.append(comments.map(\.saidAt))
  }
}

/// The loans, among those given, of which no comment is stored.
package struct LoansWithoutComment: Statement {
  package static let pace = Pace.slow
  package typealias Row = UUID7
  package static let sql = """
    select told.id from unnest($1::uuid[]) as told (id)
    where not exists (select from return_comments where loan_id = told.id)
    """
  let loans: [UUID7]

  package init(among loans: [UUID7]) { self.loans = loans }

  package func bind(_ p: inout Parameters) { p.append(loans) }
}

/// A page of the comments on a book whose authors are visible to the viewer, the newest first ([CA-27], [C-10]).
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
  let viewer: UserID
  let before: CommentID?
  let limit: Int64

  package init(on book: BookID, seenBy viewer: UserID, before: CommentID?, limit: Int64) {
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
