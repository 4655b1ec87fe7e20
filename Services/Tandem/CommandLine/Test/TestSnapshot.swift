import Postgres

/// The rows of all services as they are when a suite is handed over, and the way back to them while the services run.
///
/// What was changed since is found by the transactions that wrote the rows, so that a few changed rows cost little however many
/// there are in all. Left as they are: how far services have followed each other's events, whose positions rise for ever, the keys
/// that sign tokens, and what a running replica says of itself; all of which the services have in memory too. Numbers that
/// sequences gave are not given again.
struct TestSnapshot: Sendable {
  let databaseURL: String

  /// Makes the functions, and keeps the present rows.
  func install() async throws {
    try await run { session in
      try session.run(Self.tables)
      try session.run(Self.keepFunction)
      try session.run(Self.resetFunction)
      try session.run("select tandem_test.keep()")
    }
  }

  /// Keeps the present rows: they are what ``reset()`` goes back to.
  func keep() async throws { try await run { _ = try $0.run("select tandem_test.keep()") } }

  /// Goes back to the rows that were kept.
  func reset() async throws { try await run { _ = try $0.run("select tandem_test.reset()") } }

  /// Waits until no service is at work in the database, at most for `timeout`: what it wrote later would stay.
  func settle(atMost timeout: Duration = .milliseconds(150)) async throws {
    try await run { session in
      let deadline = ContinuousClock.now + timeout
      while ContinuousClock.now < deadline, try session.run(Self.busy).first?.first == "t" {
        try session.run("select pg_stat_clear_snapshot(), pg_sleep(0.002)")
      }
    }
  }

  private func run(_ body: @escaping @Sendable (borrowing AdministrationSession) throws -> Void) async throws {
    do {
      try await Administration.session(databaseURL) { session in
        try session.run("set client_min_messages to warning")
        try body(session)
      }
    } catch let error as PostgresError {
      throw Complaint("the suite's database refused: \(error)")
    }
  }

  private static let schemas = SuiteService.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  private static let busy = """
    select exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and xact_start is not null)
    """

  private static let tables = """
    create schema if not exists tandem_test;
    create table if not exists tandem_test.kept (writer xid8 not null);
    create table if not exists tandem_test.seeds (
      place regclass primary key, source regclass not null, columns text not null, same text not null, rows bigint not null);
    create sequence if not exists tandem_test.numbers;
    create or replace view tandem_test.places as
      select c.oid::regclass as place from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in (\(schemas)) and c.relkind = 'r' and c.relname not in (
        'schema_migrations', 'event_consumers', 'event_cursors', 'event_log', 'event_epochs', 'event_removals',
        'signing_keys', 'chat_replicas', 'uptime', 'heartbeat');
    """

  private static let keepFunction = """
    create or replace function tandem_test.keep() returns void language plpgsql as $$
    declare t regclass; since xid8; seed record; total bigint; fresh bigint; names text; same text; source text;
    begin
      select writer into since from tandem_test.kept;
      for t in select place from tandem_test.places loop
        execute format('select count(*), count(*) filter (where $1 is null or age(xmin) < age($1::xid)) from %s', t)
          using since into total, fresh;
        select * into seed from tandem_test.seeds where place = t;
        continue when fresh = 0 and total = coalesce(seed.rows, 0);
        if seed.place is not null then
          delete from tandem_test.seeds where place = t;
          execute format('drop table %s', seed.source);
        end if;
        continue when total = 0;
        select string_agg(quote_ident(attname), ',' order by attnum) into names
          from pg_attribute where attrelid = t and attnum > 0 and not attisdropped and attgenerated = '';
        select string_agg(format('kept.%1$I = present.%1$I', attname), ' and ') into same
          from pg_index join pg_attribute on attrelid = t and attnum = any (indkey) where indrelid = t and indisprimary;
        source := format('tandem_test.seed_%s', nextval('tandem_test.numbers'));
        execute format('create table %s as table %s', source, t);
        insert into tandem_test.seeds values (t, source::regclass, names, same, total);
      end loop;
      delete from tandem_test.kept;
      insert into tandem_test.kept values (pg_current_xact_id());
    end $$
    """

  private static let resetFunction = """
    create or replace function tandem_test.reset() returns void language plpgsql as $$
    declare t regclass; since xid8; seed record; total bigint; fresh bigint;
    begin
      -- Without the triggers of foreign keys the order does not matter.
      set local session_replication_role = replica;
      set local lock_timeout = '2s';
      select writer into since from tandem_test.kept;
      for t in select place from tandem_test.places loop
        execute format('select count(*), count(*) filter (where age(xmin) < age($1::xid)) from %s', t)
          using since into total, fresh;
        if fresh > 0 then execute format('delete from %s where age(xmin) < age($1::xid)', t) using since; end if;
        select * into seed from tandem_test.seeds where place = t;
        continue when seed.place is null or total - fresh = seed.rows;
        execute format(
          'insert into %1$s (%2$s) overriding system value select %2$s from %3$s as kept
            where not exists (select from %1$s as present where %4$s)',
          t, seed.columns, seed.source, seed.same);
      end loop;
      update tandem_test.kept set writer = pg_current_xact_id();
    end $$
    """
}
