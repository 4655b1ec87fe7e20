import Postgres
import TTRPC
import TandemCatalog
import TandemIdentity
import TandemLending
import TestSupport
import Testing

@Suite("news that was removed before it was followed", .timeLimit(.minutes(5)))
struct MissedNewsTests {
  @Test(
    "[LE-10] [CA-27] a catalog that missed what was said on returns asks lending for it, and keeps each comment once")
  func comments() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      let users = Gathered<(ada: ThreeServices.Member, grace: ThreeServices.Member)>()
      try await ThreeServices.run(on: database) { suite in
        let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
        users.add((ada, grace))
        for title in ["One", "Two"] {
          try await suite.borrow(try await suite.add(title, as: ada), of: ada, as: grace, saying: "About \(title).")
        }
        _ = try await eventually("the catalog has heard of both") { try await suite.comments(2) }
      }
      try await Self.forgetOneComment(database)
      let (ada, grace) = try #require(users.all.first)
      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("what was missed is there again") { try await suite.comments(2) }
        try await suite.borrow(try await suite.add("Three", as: ada), of: ada, as: grace, saying: "About Three.")
        _ = try await eventually("it follows again") { try await suite.comments(3) }

        let texts = try await suite.sql("select text from catalog.comments order by id").compactMap { $0.first ?? nil }
        #expect(texts == ["About One.", "About Two.", "About Three."], "in the order in which they were said")
        let moved = """
          select count(*) from catalog.comments as comment join lending.loans as loan on loan.comment = comment.text
          where comment.created_at <> loan.commented_at
          """
        #expect(try await suite.value(moved) == "0")
        let isBack = try await eventually {
          try await suite.value("select count(*) from catalog.books where status <> 'AVAILABLE'") == "0"
        }
        #expect(isBack)
        let untouched = "select count(*) from catalog.books where title = 'One' and revision > 5"
        #expect(try await suite.value(untouched) == "0", "a book that is where it was has not changed")
      }
    }
  }

  @Test(
    "[LE-15] a book that lending does not know, as it was restored to an earlier day, is available to a catalog that asks it"
  )
  func lostLoans() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      try await ThreeServices.run(on: database) { suite in
        let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
        for title in ["Requested", "Promised"] {
          let loan = try await suite.request(try await suite.add(title, as: ada), as: grace)
          if title == "Requested" { continue }
          _ = try await suite.loans.acceptRequest(
            AcceptRequestRequest(loanID: loan.loanID, pickup: ThreeServices.place), ada.options)
        }
        _ = try await eventually("the catalog has heard of both") {
          try await suite.value("select count(*) from catalog.books where status <> 'AVAILABLE'") == "2" ? true : nil
        }
      }
      _ = try await Administration.session(database.url) { session in
        try session.run(
          """
          update lending.books set status = 'AVAILABLE', waiting = 0, loan_id = null;
          delete from lending.history;
          delete from lending.loans;
          delete from lending.books;
          \(Self.forgettingEvents)
          """)
      }
      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("nobody has them") {
          let held = "select count(*) from catalog.books where status <> 'AVAILABLE' or borrower_id is not null"
          return try await suite.value(held) == "0" ? true : nil
        }
      }
    }
  }

  @Test(
    "[C-10] a lending that comes after the news is gone asks identity for all blocks, and closes what waits between people"
  )
  func blocks() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      try await Self.prepare(database)
      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("lending has the blocks that identity has, and no others") {
          let counts = "select count(*), count(*) filter (where blocker_id = '\(Self.user(1))') from lending.blocks"
          return try await suite.sql(counts).first == ["250", "250"] ? true : nil
        }
        _ = try await eventually("what waited between two of them is closed") {
          let closed = "select status from lending.books where id = '\(Self.user(1_001))'"
          return try await suite.value(closed) == "AVAILABLE" ? true : nil
        }
        #expect(
          try await suite.value("select status from lending.books where id = '\(Self.user(1_002))'") == "REQUESTED",
          "what waits between others waits")
        let grace = try await suite.join("grace")
        _ = try await suite.safety.blockUser(BlockUserRequest(userID: Self.user(1)), grace.options)
        _ = try await eventually("it follows again") {
          try await suite.value("select count(*) from lending.blocks") == "251" ? true : nil
        }
      }
    }
  }

  /// Removes one of the comments from the catalog, and lending's events.
  private static func forgetOneComment(_ database: TestDatabase) async throws {
    _ = try await Administration.session(database.url) { session in
      try session.run(
        """
        delete from catalog.return_comments where loan_id in (select id from lending.loans where title = 'Two');
        delete from catalog.comments where text = 'About Two.';
        \(forgettingEvents)
        """)
    }
  }

  /// Removes lending's events before the catalog has followed any.
  private static let forgettingEvents = """
    delete from lending.events;
    update lending.event_removals set transaction_id = pg_current_xact_id(), id = 1;
    update catalog.event_cursors set transaction_id = '0', id = 0 where producer = 'lending'
    """

  /// The id of a user, and the ids of the data about them.
  private static func user(_ number: Int) -> String {
    let digits = String(number)
    return "01900000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// A user who blocks more others than a page has, one of whom requests their book, as another does for the other's; lending has a block
  /// that identity does not have any more; and the events about it are gone.
  private static func prepare(_ database: TestDatabase) async throws {
    _ = try await Administration.session(database.url) { session in
      try session.run(
        """
        insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
        select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number || '@example.com',
          number || '@example.com', 'person' || number, '$x$y', now(), now()
        from generate_series(1, 251) as number;
        insert into identity.blocks (blocker_id, blocked_id, blocked_at)
        select one.id, other.id, now() from identity.accounts as one join identity.accounts as other on one.id <> other.id
        where one.username = 'person1';
        insert into lending.blocks (blocker_id, blocked_id) values (gen_random_uuid(), gen_random_uuid());
        insert into lending.books (id, owner_id, isbn, title, description, status, waiting) values
          ('\(user(1_001))', '\(user(1))', 9780441172719, 'Dune', 'Mine', 'REQUESTED', 1),
          ('\(user(1_002))', '\(user(2))', 9780441172719, 'Dune', 'Mine', 'REQUESTED', 1);
        insert into lending.loans (
          id, book_id, owner_id, borrower_id, title, description, owner_username, requested_at, updated_at
        ) values
          ('\(user(2_001))', '\(user(1_001))', '\(user(1))', '\(user(2))', 'Dune', 'Mine', 'person1', now(), now()),
          ('\(user(2_002))', '\(user(1_002))', '\(user(2))', '\(user(3))', 'Dune', 'Mine', 'person2', now(), now());
        update identity.event_removals set transaction_id = pg_current_xact_id(), id = 1
        """)
    }
  }
}

extension ThreeServices {
  /// Lends a book to a user and returns it.
  fileprivate func borrow(_ book: Book, of owner: Member, as borrower: Member, saying comment: String) async throws {
    let loan = try await request(book, as: borrower)
    let accept = AcceptRequestRequest(loanID: loan.loanID, pickup: Self.place)
    _ = try await loans.acceptRequest(accept, owner.options)
    for member in [owner, borrower] {
      let confirm = ConfirmHandoverRequest(loanID: loan.loanID, isbn: "9780441172719")
      _ = try await loans.confirmHandover(confirm, member.options)
    }
    for (member, said) in [(borrower, comment), (owner, "")] {
      let confirm = ConfirmReturnRequest(loanID: loan.loanID, isbn: "9780441172719", comment: said)
      _ = try await loans.confirmReturn(confirm, member.options)
    }
  }

  /// How many comments the catalog has; `nil` while it is another number.
  fileprivate func comments(_ expected: Int) async throws -> Int? {
    try await value("select count(*) from catalog.comments") == "\(expected)" ? expected : nil
  }
}
