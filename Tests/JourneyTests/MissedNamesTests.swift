import Postgres
import TTRPC
import TandemCatalog
import TandemIdentity
import TandemLending
import TestSupport
import Testing

@Suite("usernames of which the news was removed before it was followed", .timeLimit(.minutes(5)))
struct MissedNamesTests {
  @Test(
    "[ID-22] [C-9] a catalog and a lending that missed new usernames ask identity for all, and what they show is right again"
  )
  func renamed() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      let users = Gathered<[ThreeServices.Member]>()
      try await ThreeServices.run(on: database) { suite in
        users.add([try await suite.join("ada"), try await suite.join("grace"), try await suite.join("alan")])
        _ = try await suite.add("Dune", as: users.all[0][0])
        _ = try await eventually("everybody is known") { try await suite.namesAgree(3) }
      }
      let (ada, grace, alan) = (users.all[0][0], users.all[0][1], users.all[0][2])
      try await ThreeServices.runIdentity(on: database) { accounts in
        _ = try await accounts.changeUsername(ChangeUsernameRequest(username: "Lovelace"), ada.options)
        _ = try await accounts.deleteAccount(DeleteAccountRequest(password: ThreeServices.password), grace.options)
      }
      try await Self.addUsers(450, to: database)
      try await Self.loseNews(database)
      let untouched = try await database.sql(Self.version(of: alan))

      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("both know everybody's name again") { try await suite.namesAgree(452) }
        let search = SearchBooksRequest(query: "dune")
        let found = try await eventually("the catalog accepts the token") {
          do { return try await suite.books.searchBooks(search, alan.options).books } catch let status as Status
            where status.code == .unavailable
          { return nil }
        }
        let loan = try await suite.request(try #require(found.first), as: alan)

        #expect(found.map(\.ownerUsername) == ["Lovelace"] && loan.ownerUsername == "Lovelace")
        #expect(try await database.sql(Self.version(of: alan)) == untouched, "what was right was not written again")
        let left = "select username, deleted from catalog.users where id = '\(grace.id)'"
        #expect(try await suite.sql(left) == [["", "t"]])
        #expect(
          try await suite.value("select count(*) from catalog.users where username = 'unverified'") == "0",
          "who is not verified is nobody yet")
        let rename = ChangeUsernameRequest(username: "Turing")
        _ = try await suite.accounts.changeUsername(rename, alan.options)
        _ = try await eventually("both follow again") { try await suite.namesAgree(452) }
      }
    }
  }

  @Test("[ID-22] a catalog and a lending that come after the news is gone ask identity what everybody is called")
  func late() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      try await Self.addUsers(250, to: database)
      try await Self.loseNews(database)
      #expect(try await database.sql("select 1 from catalog.event_cursors where consumer = 'catalog'").isEmpty)

      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("both know everybody's name") { try await suite.namesAgree(250) }
      }
    }
  }

  @Test(
    "[ID-22] a lending that is cut off while it makes usernames right has changed nothing, and does so at its next start"
  )
  func interrupted() async throws {
    try await TestDatabase.with(ThreeServices.schemas) { database in
      try await Self.addUsers(450, to: database)
      try await Self.loseNews(database)
      try await Self.refuseNames(database)
      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("lending has tried, and the catalog has done it") {
          try await suite.value("select is_called from lending.tries") == "t"
            ? try await suite.known(450, "catalog") : nil
        }
        #expect(try await suite.known(0, "lending") != nil)
        let position =
          "select 1 from lending.event_cursors where (producer, consumer) = ('identity', 'lending') and transaction_id > '0'"
        #expect(try await suite.sql(position).isEmpty)
      }
      try await database.sql("drop trigger refuse on lending.users")

      try await ThreeServices.run(on: database) { suite in
        _ = try await eventually("both know everybody's name") { try await suite.namesAgree(450) }
      }
    }
  }

  // MARK: What has happened

  /// Creates verified users and one who is not verified.
  private static func addUsers(_ count: Int, to database: TestDatabase) async throws {
    try await database.sql(
      """
      insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
      select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number || '@example.org',
        number || '@example.org', case when number = 0 then 'unverified' else 'person' || number end, '$x$y', now(),
        case when number > 0 then now() end
      from generate_series(0, \(count)) as number
      """)
  }

  /// Removes identity's events so far.
  private static func loseNews(_ database: TestDatabase) async throws {
    try await database.sql("delete from identity.events")
    try await database.sql("update identity.event_removals set transaction_id = pg_current_xact_id(), id = 1")
  }

  /// Makes lending's database refuse the name of a user in the middle, and count how often it did.
  private static func refuseNames(_ database: TestDatabase) async throws {
    _ = try await Administration.session(database.url) { session in
      try session.run(
        """
        create sequence lending.tries;
        create function lending.refuse() returns trigger language plpgsql security definer as $$
        begin
          perform nextval('lending.tries');
          raise 'not now';
        end $$;
        create trigger refuse before insert on lending.users
        for each row when (new.username = 'person300') execute function lending.refuse()
        """)
    }
  }

  /// The row version of a user, which changes with every write.
  private static func version(of member: ThreeServices.Member) -> String {
    "select xmin::text from catalog.users where id = '\(member.id)'"
  }
}

extension ThreeServices {
  /// Whether so many users have names in the catalog and in lending that equal identity's; `nil` until then.
  fileprivate func namesAgree(_ count: Int) async throws -> Bool? {
    for service in ["catalog", "lending"] where try await known(count, service) == nil { return nil }
    return true
  }

  /// Whether a service has so many names that equal identity's; `nil` if not.
  fileprivate func known(_ count: Int, _ service: String) async throws -> Bool? {
    let counts = try await sql(
      """
      select count(*), count(*) filter (where account.username = known.username)
      from \(service).users as known left join identity.accounts as account on account.id = known.id
      where known.username <> ''
      """)
    return counts == [["\(count)", "\(count)"]] ? true : nil
  }
}
