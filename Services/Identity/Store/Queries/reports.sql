-- name: InsertReport :exec
-- Stores a report of one user about another.
-- @reason ReportReason
insert into user_reports (id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at)
values (:report_id, :reported_id, :reporter_id, :reason, :remarks, :evidence_ids, :now);

-- name: ReportsBefore :many slow
-- A page of reports, about one user or all, the latest first ([C-5]).
-- @before ReportID
-- @reporter_id: `nil` once the reporter has deleted their account.
-- @reason: The name of a reason; may be unknown to this version after a downgrade.
select id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at from user_reports
where (:reported_id?::uuid is null or reported_id = :reported_id?) and (:before?::uuid is null or id < :before?)
order by id desc limit :limit;
