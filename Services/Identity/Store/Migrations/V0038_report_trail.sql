-- Operators close reports, and who did and why is kept (ID-26).

alter table user_reports add column closed_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
create index user_reports_open_idx on user_reports (id) where closed_at is null;

comment on column user_reports.closed_at is 'When an operator closed it; null while it is open.';

create table report_changes (
  report_id uuid not null,
  number integer not null,
  change text not null,
  actor text not null,
  reason text not null,
  happened_at timestamptz not null,
  constraint report_changes_pkey primary key (report_id, number),
  constraint report_changes_report_fkey foreign key (report_id) references user_reports (id) on delete cascade,
  constraint report_changes_change_known check (change in ('RECEIVED', 'CLOSED')),
  constraint report_changes_actor_length check (char_length(actor) between 1 and 100),
  constraint report_changes_reason_length check (char_length(reason) <= 500)
);

create function refuse_report_change_update() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail of reports is only added to' using errcode = 'restrict_violation';
end
$$;

create trigger report_changes_append_only before update on report_changes
for each row execute function refuse_report_change_update();

comment on function refuse_report_change_update() is 'Keeps the audit trail as it was written (ID-26).';
comment on table report_changes is
'The audit trail of reports: only added to, removed with the report, which goes with the reported account.';
comment on column report_changes.report_id is 'The report.';
comment on column report_changes.number is 'From 1, in order.';
comment on column report_changes.change is 'RECEIVED or CLOSED.';
comment on column report_changes.actor is 'The operator; identity for what the service did itself.';
comment on column report_changes.reason is 'Why; empty for a report that was received.';
comment on column report_changes.happened_at is 'When.';

insert into report_changes (report_id, number, change, actor, reason, happened_at)
select
  id as report_id, 1 as number, 'RECEIVED' as change, 'identity' as actor, '' as reason, created_at as happened_at
from user_reports;
