-- name: InsertReport :exec
-- Stores a report of one user about another, with the first entry of its audit trail.
-- @reason ReportReason
with report as (
  insert into user_reports (id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at)
  values (:report_id, :reported_id, :reporter_id, :reason, :remarks, :evidence_ids, :now)
  returning id
)
insert into report_changes (report_id, number, change, actor, reason, happened_at)
select id, 1, 'RECEIVED', 'identity', '', :now from report;

-- name: HasReported :one
-- Whether a user has reported another since a moment.
-- @reporter_id UserID
-- @reported_id UserID
select exists (
  select from user_reports
  where reporter_id = :reporter_id::uuid and reported_id = :reported_id::uuid and created_at >= :since
) as "has_reported!";

-- columns: StoredReport
-- A report with the present names of both users.
-- @reporter_id: `nil` once the reporter has deleted their account, as is the name.
-- @reason: The name of a reason; may be unknown to this version after a downgrade.
report.id, report.reported_id, report.reporter_id, report.reason, report.remarks, report.evidence_ids,
report.created_at, report.closed_at, reported.username as reported_username, reporter.username as reporter_username;

-- fragment: named_reports()
-- Reports as `report`, with the accounts `reported` and, if it exists, `reporter`.
user_reports as report
join accounts as reported on reported.id = report.reported_id
left join accounts as reporter on reporter.id = report.reporter_id;

-- name: ReportsBefore :many slow
-- A page of reports, about one user or all, the latest first ([C-5]).
-- @before ReportID
select {{StoredReport}} from {{named_reports}}
where (:reported_id?::uuid is null or report.reported_id = :reported_id?)
  and (:includes_closed::boolean or report.closed_at is null) and (:before?::uuid is null or report.id < :before?)
order by report.id desc limit :limit;

-- name: ReportByID :one
-- A report.
select {{StoredReport}} from {{named_reports}} where report.id = :report_id;

-- name: ChangesOfReports :many
-- The audit trails of some reports, in order.
select report_id, change, actor, reason as reason_text, happened_at from report_changes
where report_id = any(:report_ids::uuid[])
order by report_id, number;

-- name: CloseStoredReport :one
-- Closes a report, with an entry in its audit trail; no row if there is none, or it was closed before.
-- @reason_text: Why.
with report as (
  update user_reports set closed_at = :now where id = :report_id and closed_at is null returning id
)
insert into report_changes (report_id, number, change, actor, reason, happened_at)
select
  report.id, (select max(number) + 1 from report_changes where report_changes.report_id = report.id), 'CLOSED', :actor,
  :reason_text, :now
from report
returning report_id;
