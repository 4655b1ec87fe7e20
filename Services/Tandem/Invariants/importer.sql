-- [IM-8] An activity has a source.
select 'activity ' || activities.id
from activities
left join activity_sources on activity_sources.activity_id = activities.id
where activity_sources.id is null;

-- [IM-8] A source belongs to the user of its activity.
select 'source ' || activity_sources.id
from activity_sources
join activities on activities.id = activity_sources.activity_id
where activities.user_id <> activity_sources.user_id;

-- [IM-8] What a provider knows by one id is one source.
select 'user ' || user_id || ', ' || provider || ' ' || external_id
from activity_sources
group by user_id, provider, external_id
having count(*) > 1;

-- [IM-4] A user has one import of a tracker at a time.
select 'user ' || user_id || ', ' || provider
from tracker_imports
where finished_at is null
group by user_id, provider
having count(*) > 1;

-- [IM-2] A user has one connection to a tracker.
select 'user ' || user_id || ', ' || provider
from tracker_connections
where state <> 'ENDING' and user_id is not null
group by user_id, provider
having count(*) > 1;

-- [IM-7] No activity is shorter than the time in motion, but for rounding.
select 'activity ' || id
from activities
where moving_s > duration_s + 1;

-- [IM-4] An import that has not ended is being worked on, or is scheduled.
select 'import ' || tracker_imports.id
from tracker_imports
where
  tracker_imports.finished_at is null
  and tracker_imports.changed_at < now() - interval '1 hour'
  and not exists (
    select from jobs where jobs.kind like 'import_pages%' and jobs.key like tracker_imports.id || '/%'
  );
