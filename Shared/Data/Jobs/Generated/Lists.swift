// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension JobsSchema {
  /// `jobs.sql`, as a schema's migration number `version`.
  public static func jobs(version: Int) -> Migration {
    Migration(version: version, name: "jobs", sql: jobsSQL)
  }

  private static let jobsSQL = """
    -- Durable timers: what is to be done later, and by whom it is being done now.
    --
    -- Two clocks. What is due, and when, is told by the services' clock as a parameter, so that a test decides what time it
    -- is. How long a lease lasts is told by the database's clock, which is one for all replicas: one whose own clock is
    -- wrong runs jobs early or late, but takes none from another that still works on it.

    create table jobs (
      id uuid not null,
      kind text not null,
      key text,
      payload bytea not null,
      due_at timestamptz not null,
      ready_at timestamptz not null,
      repeat_minute integer,
      repeat_weekdays integer,
      repeat_zone text,
      repeat_day date,
      attempts integer not null default 0,
      lease_until timestamptz,
      fence bigint not null default 0,
      last_failure text,
      dead_at timestamptz,
      created_at timestamptz not null,
      constraint jobs_pkey primary key (id),
      constraint jobs_kind_format check (kind ~ '^[a-z][a-z0-9_]{0,59}$'),
      constraint jobs_key_length check (char_length(key) between 1 and 200),
      constraint jobs_payload_length check (octet_length(payload) <= 65536),
      constraint jobs_last_failure_length check (char_length(last_failure) <= 500),
      constraint jobs_ready_when_due check (ready_at >= due_at),
      constraint jobs_attempts_counted check (attempts >= 0),
      constraint jobs_fence_counted check (fence >= 0),
      constraint jobs_repeat_minute_of_day check (repeat_minute between 0 and 1439),
      constraint jobs_repeat_weekdays_mask check (repeat_weekdays between 1 and 127),
      constraint jobs_repeat_zone_length check (char_length(repeat_zone) between 1 and 64),
      constraint jobs_repeat_whole check (
        num_nulls(repeat_minute, repeat_weekdays, repeat_zone, repeat_day) in (0, 4)
      ),
      constraint jobs_repeat_has_key check (repeat_zone is null or key is not null),
      constraint jobs_dead_is_free check (dead_at is null or (lease_until is null and repeat_zone is null))
    );

    create unique index jobs_kind_key on jobs (kind, key) where key is not null and dead_at is null;
    create index jobs_ready_idx on jobs (kind, ready_at, id) where dead_at is null;
    create index jobs_dead_idx on jobs (dead_at) where dead_at is not null;

    comment on table jobs is
    'What is to be done at a time: one row until it is done. A row is written in the transaction that causes it and '
    'removed, or moved to its next occurrence, in the one that does it.';
    comment on column jobs.id is 'UUIDv7, made by the service.';
    comment on column jobs.kind is 'Which code does it; known to the service alone.';
    comment on column jobs.key is
    'What it is about, such as the id of a loan: at most one living job of a kind has it. Null for a job that nobody '
    'cancels or replaces.';
    comment on column jobs.payload is 'What the code needs to know, in the kind''s own format.';
    comment on column jobs.due_at is 'When it is to be done; stays while it is tried again.';
    comment on column jobs.ready_at is 'When it may be taken: due_at, or after a failure the time of the next attempt.';
    comment on column jobs.repeat_minute is 'Local minute of the day at which it repeats, from 0; null for once only.';
    comment on column jobs.repeat_weekdays is
    'Local weekdays on which it repeats: the sum of 1 for Monday to 64 for Sunday; null for once only.';
    comment on column jobs.repeat_zone is
    'IANA name of the zone that minute and weekdays are in, as the database''s own tables know it; null for once only.';
    comment on column jobs.repeat_day is
    'The local day that due_at is the occurrence of: a day has one at most; null for once only.';
    comment on column jobs.attempts is 'How often this occurrence was taken.';
    comment on column jobs.lease_until is
    'Until when, by the database''s clock, the replica that took it last has it to itself; null while nobody has it.';
    comment on column jobs.fence is
    'Goes up with every take and every change. Whoever took it says the number when it is done: with an older one '
    'nothing happens.';
    comment on column jobs.last_failure is 'Why the last attempt failed, for the operator.';
    comment on column jobs.dead_at is
    'When it was given up. It stays, and is not tried again unless an operator says so; null while it lives.';
    comment on column jobs.created_at is 'When it was scheduled.';

    create view dead_jobs as
    select id, kind, key, due_at, attempts, last_failure, dead_at from jobs where dead_at is not null;

    comment on view dead_jobs is 'Jobs that were given up, without what they hold.';

    -- Null when the day does not exist in the zone. A time that occurs twice is the first of both; for one that is skipped
    -- it is the moment after the gap.
    create function job_occurrence(day date, minute_of_day integer, zone text) returns timestamptz
    language sql stable
    as $$
      with wanted as (
        select local_time, local_time at time zone 'UTC' as read_as_utc
        from (select day + make_interval(mins => minute_of_day)) as wish (local_time)
      ),
      -- A change of the zone's offset is between these two moments, so each offset in question is in force at one of them.
      candidates as (
        select read_as_utc - ((probe at time zone zone) - (probe at time zone 'UTC')) as moment, local_time
        from wanted cross join lateral (
          values (read_as_utc - interval '24 hours'), (read_as_utc + interval '24 hours')
        ) as probes (probe)
      )
      select coalesce(
        (select min(moment) from candidates where moment at time zone zone = local_time),
        (
          select min(step) from (select min(moment) as first, max(moment) as last from candidates) as gap,
            generate_series(date_trunc('minute', gap.first), gap.last, interval '1 minute') as step
          where step at time zone zone >= (select local_time from wanted)
            -- One of both sides of the gap is on the day, unless the day itself is skipped.
            and day in ((gap.first at time zone zone)::date, (gap.last at time zone zone)::date)
        )
      )
    $$;

    comment on function job_occurrence(date, integer, text) is
    'When a local minute of a local day is; null when the zone skips the day.';

    -- A zone skips a day at most, so one of three weeks has the weekday.
    create function job_next(
      after_day date, after_moment timestamptz, minute_of_day integer, weekdays integer, zone text,
      out day date, out due_at timestamptz
    )
    language sql stable
    as $$
      select days.day, moments.moment
      from (select greatest(after_day + 1, (after_moment at time zone zone)::date - 1) as first_day) as start
      cross join lateral (select start.first_day + number as day from generate_series(0, 21) as number) as days
      cross join lateral (select job_occurrence(days.day, minute_of_day, zone) as moment) as moments
      where weekdays & (1 << (extract(isodow from days.day)::integer - 1)) <> 0 and moments.moment > after_moment
      order by days.day
      limit 1
    $$;

    comment on function job_next(date, timestamptz, integer, integer, text) is
    'The first occurrence of a repeating job on a later day than one, at a later moment than another.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    CountJobs.self,
    CountDeadJobs.self,
    ListJobs.self,
    FindJob.self,
    RetryDeadJob.self,
    TakeDueJobs.self,
    NextReadyJob.self,
    CompleteJob.self,
    AdvanceJob.self,
    NoteJobFailure.self,
    ReleaseJob.self,
    DeadLetterJob.self,
    BuryOccurrence.self,
    PutJob.self,
    KeepJob.self,
    PutRepeatingJob.self,
    KeepRepeatingJob.self,
    CancelJob.self,
  ]
}
