// Made from comments.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A stored comment: a row `comment`, joined by {{comment_author}}.
package struct StoredComment: Sendable, RowDecodable {
  package let id: CommentID
  package let authorID: UserID
  /// Empty until identity has reported it.
  package let authorUsername: String
  package let text: String
  package let createdAt: Instant
  package let editedAt: Instant?

  package init(
    id: CommentID, authorID: UserID, authorUsername: String, text: String, createdAt: Instant, editedAt: Instant?) {
    self.id = id
    self.authorID = authorID
    self.authorUsername = authorUsername
    self.text = text
    self.createdAt = createdAt
    self.editedAt = editedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredComment {
    StoredComment(
      id: try row.next(), authorID: try row.next(), authorUsername: try row.next(), text: try row.next(),
      createdAt: try row.next(), editedAt: try row.next())
  }
}

/// Stores a comment of a user whom ``EnterUser`` has locked; no row if the book does not exist any more, or its owner is not visible to the
/// user ([C-10]).
package struct InsertComment: SingleRowStatement {
  package typealias Row = StoredComment
  package static let sql = """
    with comment as (
      insert into comments (id, book_id, author_id, text, created_at)
      select $1, book.id, $2, $3, $4 from books as book
      where book.id = $5 and book.deleted_at is null and book.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $2
      union all
      select blocker_id from blocks where blocked_id = $2
    )) and book.owner_id <> all(array(select user_id from erasures))
      for share
      returning *
    )
    select comment.id, comment.author_id, coalesce(author.username, '') as author_username, comment.text, comment.created_at,
    comment.edited_at from comment left join users as author on author.id = comment.author_id
    """
  package let commentID: CommentID
  package let authorID: UserID
  package let text: String
  package let now: Instant
  package let bookID: BookID

  package init(commentID: CommentID, authorID: UserID, text: String, now: Instant, bookID: BookID) {
    self.commentID = commentID
    self.authorID = authorID
    self.text = text
    self.now = now
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(commentID)
    p.append(authorID)
    p.append(text)
    p.append(now)
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredComment.decode(row)
  }
}

/// How many comments a user whom ``EnterUser`` has locked has on a book, and on all books: by an index, and no more than are needed to refuse
/// another.
package struct CountComments: SingleRowStatement {
  package struct Row: Sendable {
    package let ofBook: Int64
    package let inAll: Int64
  }

  package static let sql = """
    select
      (select count(*) from comments where author_id = $1 and book_id = $2) as of_book,
      (select count(*) from (select from comments where author_id = $1 limit $3) as written) as in_all
    """
  package let authorID: UserID
  package let bookID: BookID
  package let limit: Int64

  package init(authorID: UserID, bookID: BookID, limit: Int64) {
    self.authorID = authorID
    self.bookID = bookID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(authorID)
    p.append(bookID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(ofBook: try row.next(), inAll: try row.next())
  }
}

/// The author of a comment and the owner of its book, locked until the transaction ends; no row if the viewer may not see it ([C-10]).
package struct LockedComment: SingleRowStatement {
  package struct Row: Sendable {
    package let authorID: UserID
    package let bookOwnerID: UserID
  }

  package static let sql = """
    select comment.author_id, book.owner_id as book_owner_id
    from comments as comment join books as book on book.id = comment.book_id
    where comment.id = $1 and book.deleted_at is null and book.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $2
      union all
      select blocker_id from blocks where blocked_id = $2
    )) and book.owner_id <> all(array(select user_id from erasures))
      and comment.author_id <> all(array(
      select blocked_id from blocks where blocker_id = $2
      union all
      select blocker_id from blocks where blocked_id = $2
    )) and comment.author_id <> all(array(select user_id from erasures))
    for update of comment
    """
  package let commentID: CommentID
  package let viewerID: UserID

  package init(commentID: CommentID, viewerID: UserID) {
    self.commentID = commentID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(commentID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(authorID: try row.next(), bookOwnerID: try row.next())
  }
}

/// Changes the text of a comment that the transaction has locked.
package struct EditComment: SingleRowStatement {
  package typealias Row = StoredComment
  package static let sql = """
    with comment as (
      update comments set text = $1, edited_at = $2 where id = $3 returning *
    )
    select comment.id, comment.author_id, coalesce(author.username, '') as author_username, comment.text, comment.created_at,
    comment.edited_at from comment left join users as author on author.id = comment.author_id
    """
  package let text: String
  package let now: Instant
  package let commentID: CommentID

  package init(text: String, now: Instant, commentID: CommentID) {
    self.text = text
    self.now = now
    self.commentID = commentID
  }

  package func bind(_ p: inout Parameters) {
    p.append(text)
    p.append(now)
    p.append(commentID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredComment.decode(row)
  }
}

/// Removes a comment that the transaction has locked. One on a return is not stored again, as its loan stays noted.
package struct RemoveComment: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from comments where id = $1
    """
  package let commentID: CommentID

  package init(commentID: CommentID) {
    self.commentID = commentID
  }

  package func bind(_ p: inout Parameters) {
    p.append(commentID)
  }
}

/// Stores borrowers' comments on returns, once for each loan ([LE-10]). Skipped are comments that are already stored, whose book does not
/// exist any more, or whose author has deleted the account: the authors' rows are locked, so that nothing is stored after the account
/// deletion ([C-9]).
package struct InsertReturnComments: Statement {
  package typealias Row = Void
  package static let sql = """
    with reported as (
      select id, loan_id, book_id, author_id, text, said_at
      from unnest(
        $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[],
        $6::timestamptz[]
      ) as comment (id, loan_id, book_id, author_id, text, said_at)
    ), present as (
      insert into users (id) select distinct author_id from reported order by author_id
      on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
      returning id
    ), noted as (
      insert into return_comments (loan_id, book_id)
      select reported.loan_id, book.id
      from reported join present on present.id = reported.author_id
      join books as book on book.id = reported.book_id and book.deleted_at is null
      on conflict on constraint return_comments_pkey do nothing
      returning loan_id
    )
    insert into comments (id, book_id, author_id, text, created_at)
    select reported.id, reported.book_id, reported.author_id, reported.text, reported.said_at
    from reported join noted on noted.loan_id = reported.loan_id
    """
  package let commentIDs: [CommentID]
  /// Lending's.
  package let loanIDs: [UUID7]
  package let bookIDs: [BookID]
  package let authorIDs: [UserID]
  package let texts: [String]
  package let times: [Instant]

  package init(
    commentIDs: [CommentID], loanIDs: [UUID7], bookIDs: [BookID], authorIDs: [UserID], texts: [String],
    times: [Instant]) {
    self.commentIDs = commentIDs
    self.loanIDs = loanIDs
    self.bookIDs = bookIDs
    self.authorIDs = authorIDs
    self.texts = texts
    self.times = times
  }

  package func bind(_ p: inout Parameters) {
    p.append(commentIDs)
    p.append(loanIDs)
    p.append(bookIDs)
    p.append(authorIDs)
    p.append(texts)
    p.append(times)
  }
}

/// The loans, among those given, of which no comment is stored.
package struct LoansWithoutComment: Statement {
  package typealias Row = UUID7
  package static let pace = Pace.slow
  package static let sql = """
    select reported.id as loan_id from unnest($1::uuid[]) as reported (id)
    where not exists (select from return_comments where loan_id = reported.id)
    """
  package let loanIDs: [UUID7]

  package init(loanIDs: [UUID7]) {
    self.loanIDs = loanIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of the comments on a book whose authors are visible to the viewer, the newest first ([CA-27], [C-10]).
package struct CommentsBefore: Statement {
  package typealias Row = StoredComment
  package static let sql = """
    select comment.id, comment.author_id, coalesce(author.username, '') as author_username, comment.text, comment.created_at,
    comment.edited_at
    from comments as comment left join users as author on author.id = comment.author_id
    where comment.book_id = $1 and ($2::uuid is null or comment.id < $2)
      and comment.author_id <> all(array(
      select blocked_id from blocks where blocker_id = $3
      union all
      select blocker_id from blocks where blocked_id = $3
    )) and comment.author_id <> all(array(select user_id from erasures))
    order by comment.id desc
    limit $4
    """
  package let bookID: BookID
  /// The last comment of the previous page.
  package let before: CommentID?
  package let viewerID: UserID
  package let limit: Int64

  package init(bookID: BookID, before: CommentID?, viewerID: UserID, limit: Int64) {
    self.bookID = bookID
    self.before = before
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(before)
    p.append(viewerID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredComment.decode(row)
  }
}
