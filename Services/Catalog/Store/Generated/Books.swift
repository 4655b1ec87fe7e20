// Made from books.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// The columns of a row `book`, joined by {{book_users}}.
package struct BookColumns: Sendable {
  package let id: BookID
  package let ownerID: UserID
  package let ownerUsername: String
  package let isbn: ISBN
  package let title: String
  package let authors: [String]
  package let description: String
  package let year: Int32?
  package let language: String
  package let status: BookStatus
  package let onHold: Bool
  package let borrowerID: UserID?
  package let borrowerUsername: String
  /// In the order in which they were added.
  package let photoIDs: [PictureID]
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> BookColumns {
    BookColumns(
      id: try row.next(), ownerID: try row.next(), ownerUsername: try row.next(), isbn: try row.next(),
      title: try row.next(), authors: try row.next(), description: try row.next(), year: try row.next(),
      language: try row.next(), status: try row.next(), onHold: try row.next(), borrowerID: try row.next(),
      borrowerUsername: try row.next(), photoIDs: try row.next(), revision: try row.next(), createdAt: try row.next(),
      updatedAt: try row.next())
  }
}

/// Adds a book of a user, with the change number from ``NextBookChange``.
package struct InsertBook: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    with named as (
      insert into name_words (word)
      select distinct found.word from unnest(string_to_array($1, ' ')) as found (word)
      where found.word <> '' order by found.word
      on conflict on constraint name_words_pkey do nothing
    ), book as (
      insert into books (
        id, owner_id, isbn, title, authors, description, year, language, words, names, title_key, other_title_keys, surname,
        change, created_at, updated_at
      )
      values (
        $2, $3, $4, $5, $6, $7, $8, $9, $10::tsvector, $1, $11,
        $12::text[], $13, $14, $15, $15
      )
      returning *
    )
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at from book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    """
  /// The words of titles and authors, separated by spaces.
  package let names: String
  package let bookID: BookID
  package let ownerID: UserID
  package let isbn: ISBN
  package let title: String
  package let authors: [String]
  package let description: String
  package let year: Int32?
  /// Empty if it is unknown.
  package let language: String
  /// A `tsvector` of all that a search looks at.
  package let words: String
  /// What the title is looked up by.
  package let titleKey: String
  /// What its records' other titles are looked up by.
  package let otherTitleKeys: [String]
  /// The last word of the first author's name.
  package let surname: String
  package let change: Int64
  package let now: Instant

  package init(
    names: String, bookID: BookID, ownerID: UserID, isbn: ISBN, title: String, authors: [String], description: String,
    year: Int32?, language: String, words: String, titleKey: String, otherTitleKeys: [String], surname: String,
    change: Int64, now: Instant) {
    self.names = names
    self.bookID = bookID
    self.ownerID = ownerID
    self.isbn = isbn
    self.title = title
    self.authors = authors
    self.description = description
    self.year = year
    self.language = language
    self.words = words
    self.titleKey = titleKey
    self.otherTitleKeys = otherTitleKeys
    self.surname = surname
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(names)
    p.append(bookID)
    p.append(ownerID)
    p.append(isbn)
    p.append(title)
    p.append(authors)
    p.append(description)
    p.append(year)
    p.append(language)
    p.append(words)
    p.append(titleKey)
    p.append(otherTitleKeys)
    p.append(surname)
    p.append(change)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// A book that was not deleted, if the viewer may see it ([C-10]).
package struct BookByID: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at from books as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    where book.id = $1 and book.deleted_at is null and book.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $2
      union all
      select blocker_id from blocks where blocked_id = $2
    )) and book.owner_id <> all(array(select user_id from erasures))
    """
  package let bookID: BookID
  package let viewerID: UserID

  package init(bookID: BookID, viewerID: UserID) {
    self.bookID = bookID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// A book that was not deleted, for any viewer: for other services, and for the service's own use.
package struct KnownBook: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at from books as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    where book.id = $1 and book.deleted_at is null and book.owner_id <> all(array(select user_id from erasures))
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// A book that was not deleted, if the viewer may see it ([C-10]), locked until the transaction ends.
package struct LockedBook: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at from books as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    where book.id = $1 and book.deleted_at is null and book.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $2
      union all
      select blocker_id from blocks where blocked_id = $2
    )) and book.owner_id <> all(array(select user_id from erasures))
    for update of book
    """
  package let bookID: BookID
  package let viewerID: UserID

  package init(bookID: BookID, viewerID: UserID) {
    self.bookID = bookID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// Replaces the owner's fields of a book that the transaction has locked, and gives it its next revision.
package struct ReplaceBook: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    with named as (
      insert into name_words (word)
      select distinct found.word from unnest(string_to_array($1, ' ')) as found (word)
      where found.word <> '' order by found.word
      on conflict on constraint name_words_pkey do nothing
    ), book as (
      update books
      set title = $2, authors = $3, description = $4, year = $5, language = $6,
        words = $7::tsvector, names = $1, title_key = $8, other_title_keys = $9::text[],
        surname = $10,
        change = $11, updated_at = $12, revision = revision + 1
      where id = $13
      returning *
    )
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at from book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    """
  /// The words of titles and authors, separated by spaces.
  package let names: String
  package let title: String
  package let authors: [String]
  package let description: String
  package let year: Int32?
  /// Empty if it is unknown.
  package let language: String
  /// A `tsvector` of all that a search looks at.
  package let words: String
  /// What the title is looked up by.
  package let titleKey: String
  /// What its records' other titles are looked up by.
  package let otherTitleKeys: [String]
  /// The last word of the first author's name.
  package let surname: String
  package let change: Int64
  package let now: Instant
  package let bookID: BookID

  package init(
    names: String, title: String, authors: [String], description: String, year: Int32?, language: String, words: String,
    titleKey: String, otherTitleKeys: [String], surname: String, change: Int64, now: Instant, bookID: BookID) {
    self.names = names
    self.title = title
    self.authors = authors
    self.description = description
    self.year = year
    self.language = language
    self.words = words
    self.titleKey = titleKey
    self.otherTitleKeys = otherTitleKeys
    self.surname = surname
    self.change = change
    self.now = now
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(names)
    p.append(title)
    p.append(authors)
    p.append(description)
    p.append(year)
    p.append(language)
    p.append(words)
    p.append(titleKey)
    p.append(otherTitleKeys)
    p.append(surname)
    p.append(change)
    p.append(now)
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// A page of the books that replicas of a version without title keys have added, in the order of their ids.
package struct BooksWithoutTitleKey: Statement {
  package struct Row: Sendable {
    package let id: BookID
    package let title: String
    package let authors: [String]
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, title, authors from books
    where title_key = '' and deleted_at is null and ($1::uuid is null or id > $1)
    order by id
    limit $2
    """
  /// The last one of the previous page.
  package let before: BookID?
  package let limit: Int64

  package init(before: BookID?, limit: Int64) {
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), title: try row.next(), authors: try row.next())
  }
}

/// Stores what titles are looked up by, unless the title was changed since it was read, or another transaction has the book: as none is waited
/// for, there is no deadlock with batches of changes.
package struct FillTitleKeys: Statement {
  package typealias Row = Void
  package static let sql = """
    with free as (
      select id from books where id = any($1) and title_key = '' for no key update skip locked
    )
    update books set title_key = found.title_key, surname = found.surname
    from free
    join unnest($1, $2::text[], $3::text[], $4::text[])
      as found (book_id, title, title_key, surname) on found.book_id = free.id
    where books.id = free.id and books.title = found.title
    """
  /// Each with its title, key and surname at the same position.
  package let bookIDs: [BookID]
  package let titles: [String]
  package let titleKeys: [String]
  package let surnames: [String]

  package init(bookIDs: [BookID], titles: [String], titleKeys: [String], surnames: [String]) {
    self.bookIDs = bookIDs
    self.titles = titles
    self.titleKeys = titleKeys
    self.surnames = surnames
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(titles)
    p.append(titleKeys)
    p.append(surnames)
  }
}

/// Deletes a book that the transaction has locked: it disappears from all lists except those of changes ([CA-24], [C-11]). The caller has
/// checked that it is available; the stored status may be outdated.
package struct MarkBookDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    with book as (
      update books
      set deleted_at = $1, updated_at = $1, change = $2, revision = revision + 1, status = 'AVAILABLE',
        borrower_id = null
      where id = $3 and deleted_at is null
      returning id, owner_id
    ), shares as (
      delete from book_shares using book where book_shares.book_id = book.id
    )
    update users set books = users.books - 1 from book where users.id = book.owner_id
    """
  package let now: Instant
  package let change: Int64
  package let bookID: BookID

  package init(now: Instant, change: Int64, bookID: BookID) {
    self.now = now
    self.change = change
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(change)
    p.append(bookID)
  }
}

/// Locks the rows of the owners of some books, and of other users, who are entered where they are not known, in the order of their ids: the first
/// lock of a transaction that changes what many users have, so that two of them do not deadlock. A row that is there is locked and not written.
package struct HoldUsersOfBooks: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id)
    select named.id from (
      select owner_id from books where books.id = any($1) union select unnest($2::uuid[])
    ) as named (id)
    order by named.id
    on conflict on constraint users_pkey do update set deleted = users.deleted where false
    """
  package let bookIDs: [BookID]
  package let userIDs: [UserID]

  package init(bookIDs: [BookID], userIDs: [UserID]) {
    self.bookIDs = bookIDs
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(userIDs)
  }
}

/// Stores the statuses of some books from lending's events, each book once: lending alone changes a status ([CA-23]). ``HoldUsersOfBooks``
/// has locked the owners and the borrowers, as by every other change of a book.
///
/// It has no effect on a book that does not exist any more or already has this status. A borrower who has deleted the account is not
/// stored ([C-9]).
package struct SetBookStatuses: Statement {
  package typealias Row = Void
  package static let sql = """
    with reported as (
      select given.book_id, given.status, borrower.id as borrower_id, given.place
      from unnest($1::uuid[], $2::text[]) with ordinality as given (book_id, status, place)
      left join unnest($3::uuid[], $4::uuid[]) as held (book_id, borrower_id)
        on held.book_id = given.book_id
      left join users as deleted on deleted.id = held.borrower_id and deleted.deleted
      left join lateral (select held.borrower_id where deleted.id is null) as borrower (id) on true
    ), moved as materialized (
      select books.id, books.owner_id, reported.status, reported.borrower_id,
        row_number() over (partition by books.owner_id order by reported.place) as number
      from reported join books on books.id = reported.book_id and books.deleted_at is null
      where (books.status, books.borrower_id) is distinct from (reported.status, reported.borrower_id)
    ), owner as (
      update users set changes = users.changes + counted.books
      from (select owner_id, count(*) as books from moved group by owner_id) as counted
      where users.id = counted.owner_id
      returning users.id, users.changes - counted.books as change
    )
    update books
    set status = moved.status, borrower_id = moved.borrower_id, change = owner.change + moved.number, updated_at = $5,
      revision = books.revision + 1
    from moved join owner on owner.id = moved.owner_id
    where books.id = moved.id
    """
  /// Each with the status at the same position of `statuses`.
  package let bookIDs: [BookID]
  package let statuses: [BookStatus]
  /// Those of them that are accepted or borrowed, each with its borrower at the same position of `borrower_ids`.
  package let heldBookIDs: [BookID]
  package let borrowerIDs: [UserID]
  package let now: Instant

  package init(bookIDs: [BookID], statuses: [BookStatus], heldBookIDs: [BookID], borrowerIDs: [UserID], now: Instant) {
    self.bookIDs = bookIDs
    self.statuses = statuses
    self.heldBookIDs = heldBookIDs
    self.borrowerIDs = borrowerIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(statuses)
    p.append(heldBookIDs)
    p.append(borrowerIDs)
    p.append(now)
  }
}

/// Stores which books are on hold from lending's events, each book once ([CA-29]). ``HoldUsersOfBooks`` has locked the owners. It has no effect
/// on a book that does not exist any more, or was reported before.
package struct SetBookHolds: Statement {
  package typealias Row = Void
  package static let sql = """
    with reported as (
      select given.book_id, given.on_hold, given.place
      from unnest($1::uuid[], $2::boolean[]) with ordinality as given (book_id, on_hold, place)
    ), moved as materialized (
      select books.id, books.owner_id, reported.on_hold,
        row_number() over (partition by books.owner_id order by reported.place) as number
      from reported join books on books.id = reported.book_id and books.deleted_at is null
      where books.on_hold <> reported.on_hold
    ), owner as (
      update users set changes = users.changes + counted.books
      from (select owner_id, count(*) as books from moved group by owner_id) as counted
      where users.id = counted.owner_id
      returning users.id, users.changes - counted.books as change
    )
    update books
    set on_hold = moved.on_hold, change = owner.change + moved.number, updated_at = $3, revision = books.revision + 1
    from moved join owner on owner.id = moved.owner_id
    where books.id = moved.id
    """
  /// Each with the value at the same position of `holds`.
  package let bookIDs: [BookID]
  package let holds: [Bool]
  package let now: Instant

  package init(bookIDs: [BookID], holds: [Bool], now: Instant) {
    self.bookIDs = bookIDs
    self.holds = holds
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(holds)
    p.append(now)
  }
}

/// Counts a photograph that the transaction adds to a book that it has locked, or removes from it: a change of the book like others.
package struct CountPhoto: Statement {
  package typealias Row = Void
  package static let sql = """
    update books set photos = photos + $1, change = $2, updated_at = $3, revision = revision + 1
    where id = $4
    """
  /// 1 or -1.
  package let number: Int32
  /// From ``NextBookChange``.
  package let change: Int64
  package let now: Instant
  package let bookID: BookID

  package init(number: Int32, change: Int64, now: Instant, bookID: BookID) {
    self.number = number
    self.change = change
    self.now = now
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(number)
    p.append(change)
    p.append(now)
    p.append(bookID)
  }
}

/// A page of a user's books, by the status that they had when the first page was read, and then in the order in which they were added
/// ([CA-22], [C-5]). The few books that changed since then are read apart, as their present status is another.
package struct BooksOfOwner: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    /// The position of its former status in the list's order.
    package let statusOrder: Int64
    /// The owner's change number now.
    package let changes: Int64
  }

  package static let sql = """
    select
      book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at, listed.place as status_order,
      (select counted.changes from users as counted where counted.id = $1) as changes
    from (
      (
        select book.id, book.status_order::bigint as place from books as book
        where book.owner_id = $1 and book.deleted_at is null and ($2::text is null or book.status = $2)
          and ($3::bigint is null or book.change <= $3)
          and ($4::bigint is null or (book.status_order, book.id) > ($4, $5))
        order by book.status_order, book.id
        limit $6
      )
      union all
      (
        select book.id, coalesce(
      (
        select former.place from unnest(book.status_changes, book.former_orders) as former (change, place)
        where former.change > $3 order by former.change limit 1
      ),
      book.status_order
    )::bigint as place from books as book
        where book.owner_id = $1 and book.deleted_at is null and ($2::text is null or book.status = $2)
          and book.change > $3
          and ($4::bigint is null or (coalesce(
      (
        select former.place from unnest(book.status_changes, book.former_orders) as former (change, place)
        where former.change > $3 order by former.change limit 1
      ),
      book.status_order
    ), book.id) > ($4, $5))
        order by place, book.id
        limit $6
      )
    ) as listed
    join books as book on book.id = listed.id left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    order by listed.place, book.id
    limit $6
    """
  package let ownerID: UserID
  /// Only books that have this status now; `nil` for all.
  package let status: BookStatus?
  /// The owner's change number when the first page was read; `nil` for the first page.
  package let since: Int64?
  package let afterOrder: Int64?
  package let afterID: BookID?
  package let limit: Int64

  package init(
    ownerID: UserID, status: BookStatus?, since: Int64?, afterOrder: Int64?, afterID: BookID?, limit: Int64) {
    self.ownerID = ownerID
    self.status = status
    self.since = since
    self.afterOrder = afterOrder
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(status)
    p.append(since)
    p.append(afterOrder)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook(BookColumns.decode(row)), statusOrder: try row.next(), changes: try row.next())
  }
}

/// A user's books that changed after a change number, in the order of their last changes ([C-11]).
package struct ChangedBooks: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    package let change: Int64
    /// `nil` unless it was deleted.
    package let deletedAt: Instant?
  }

  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at, book.change, book.deleted_at
    from books as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    where book.owner_id = $1 and book.change > $2
    order by book.change
    limit $3
    """
  package let ownerID: UserID
  package let after: Int64
  package let limit: Int64

  package init(ownerID: UserID, after: Int64, limit: Int64) {
    self.ownerID = ownerID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook(BookColumns.decode(row)), change: try row.next(), deletedAt: try row.next())
  }
}

/// The stored status of books that were not deleted, in the order of their ids: for a pass over all books.
package struct ShownBooks: Statement {
  package struct Row: Sendable {
    package let id: BookID
    package let status: BookStatus
    package let borrowerID: UserID?
    package let onHold: Bool
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, status, borrower_id, on_hold from books where id > $1 and deleted_at is null order by id limit $2
    """
  package let after: BookID
  package let limit: Int64

  package init(after: BookID, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), status: try row.next(), borrowerID: try row.next(), onHold: try row.next())
  }
}

/// Removes the user as the borrower of books ([C-9]). Their status changes with lending's events.
package struct ForgetBorrower: Statement {
  package typealias Row = Void
  package static let sql = """
    update books set borrower_id = null where borrower_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
