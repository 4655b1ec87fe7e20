import Postgres

/// Resets a used database, which takes a tenth of the time of creating one.
///
/// The template contains what is needed: the content of its tables and sequences, a function that restores it, and a trigger that records
/// when a test changed more than rows; such a database is dropped instead, and so is one that was analyzed.
enum TestReset {
  /// Prepares the template for `schemas`; the last step of its creation.
  static func install(for schemas: [TestSchema], _ session: borrowing AdministrationSession) throws {
    let names = schemas.map { Administration.quoted(literal: $0.name) }.joined(separator: ",")
    try session.run(tables)
    try session.run("insert into tandem_test.schemas select unnest(array[\(names)]::text[])")
    try session.run(keepContents)
    try session.run(resetFunction)
    try session.run(touchTrigger)
  }

  /// Empties the database of `url` and fills it as the template was; false when it must be dropped.
  static func run(url: String) throws -> Bool {
    try Administration.blockingSession(url) { session in
      try session.run("select tandem_test.reset()").first?.first == "t"
    }
  }

  private static let tables = """
    create schema tandem_test;
    create table tandem_test.schemas (name text not null);
    create table tandem_test.seeds (place regclass not null, source regclass not null, columns text not null);
    create table tandem_test.sequences (place regclass not null, value bigint not null, is_called boolean not null);
    create table tandem_test.touched (at timestamptz not null default now());
    create view tandem_test.places as
      select c.oid::regclass as place
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join tandem_test.schemas s on s.name = n.nspname
      where c.relkind = 'r' and c.relname <> 'schema_migrations';
    """

  private static let keepContents = """
    do $$
    declare t regclass; s regclass; filled boolean; columns text; number integer := 0;
    begin
      for t in select place from tandem_test.places loop
        execute format('select exists (select from %s)', t) into filled;
        continue when not filled;
        number := number + 1;
        execute format('create table tandem_test.seed_%s as table %s', number, t);
        select string_agg(quote_ident(attname), ',' order by attnum) into columns
          from pg_attribute where attrelid = t and attnum > 0 and not attisdropped and attgenerated = '';
        insert into tandem_test.seeds values (t, format('tandem_test.seed_%s', number)::regclass, columns);
      end loop;
      for s in
        select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
          join tandem_test.schemas on name = n.nspname where c.relkind = 'S'
      loop
        execute format('insert into tandem_test.sequences select %L::regclass, last_value, is_called from %s', s, s);
      end loop;
    end $$
    """

  private static let resetFunction = """
    create function tandem_test.reset() returns boolean language plpgsql as $$
    declare t regclass; seed record; filled boolean;
    begin
      loop
        perform pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend';
        exit when not found;
        -- Waiting for their end with pg_terminate_backend itself would take a tenth of a second.
        perform pg_sleep(0.001);
        perform pg_stat_clear_snapshot();
      end loop;
      if exists (select from tandem_test.touched) then return false; end if;
      -- A test that analyzed its tables leaves plans for what was in them.
      if exists (select from pg_statistic join tandem_test.places on place = starelid) then return false; end if;
      -- Without the triggers of foreign keys the order does not matter.
      set local session_replication_role = replica;
      for t in select place from tandem_test.places loop
        execute format('select exists (select from %s)', t) into filled;
        continue when not filled;
        if pg_relation_size(t) > 1000000 then execute format('truncate %s cascade', t);
        else execute format('delete from %s', t);
        end if;
      end loop;
      for seed in select * from tandem_test.seeds loop
        execute format('insert into %s (%s) overriding system value select %s from %s',
          seed.place, seed.columns, seed.columns, seed.source);
      end loop;
      perform setval(place, value, is_called) from tandem_test.sequences;
      return true;
    end $$
    """

  private static let touchTrigger = """
    create function tandem_test.touch() returns event_trigger language plpgsql security definer as $$
    begin
      -- Temporary tables end with their sessions. What was dropped is not among the commands.
      if tg_tag like 'DROP %'
        or exists (select from pg_event_trigger_ddl_commands() where schema_name is distinct from 'pg_temp')
      then insert into tandem_test.touched default values;
      end if;
    end $$;
    create event trigger tandem_test_touch on ddl_command_end execute function tandem_test.touch();
    """
}
