-- name: ChangesOfGroups :many
-- What changed in some groups, in each after a number and in order.
-- @afters: For each group the number of the last change that is known.
-- @limit: Of each group.
select
  change.group_id, change.sequence, change.user_id, change.kind, change.state, change.warnings, change.latitude,
  change.longitude, change.accuracy_m, change.altitude_m, change.speed_mps, change.course, change.recorded_at,
  change.journey_id, change.promised_at, change.estimated_at, change.place_name,
  case when change.kind = 'JOINED' then users.username end as username
from unnest(:group_ids::uuid[], :afters::bigint[]) as watched (group_id, after)
cross join lateral (
  select * from group_changes
  where group_changes.group_id = watched.group_id and group_changes.sequence > watched.after
  order by group_changes.sequence
  limit :limit
) as change
left join users on users.id = change.user_id
order by change.group_id, change.sequence;

-- name: GroupSequences :many
-- The number of the last change of each of some groups; a group that does not exist has no row.
select id as group_id, sequence from groups where id = any(:group_ids::uuid[]);

-- fragment: epoch
-- What numbers of changes and messages are of: another one where this database was restored, so that numbers from before may stand for
-- something else. It is not 0, which stands for an unknown one.
(select event_log.transaction_offset + 1 from event_log);

-- name: WatchStarts :many
-- Those of some groups that a user is a member of ([TR-12]), to continue behind a number in each: with the number of the last change.
-- @was_away: Whether the user became or ceased to be a member since then.
-- @sees_otherwise: Whether a block of the user's began or ended since then ([C-10]): what happened under it has to stay hidden. One with a
-- member who left may have ended without a word to the group, so a departure counts too.
select
  memberships.group_id, groups.sequence, {{epoch}} as "epoch!",
  exists (
    select from group_changes
    where
      group_changes.group_id = memberships.group_id and group_changes.sequence > watched.after
      and group_changes.user_id = memberships.user_id and group_changes.kind in ('JOINED', 'LEFT')
  ) as "was_away!",
  exists (
    select from group_changes
    where
      group_changes.group_id = memberships.group_id and group_changes.sequence > watched.after
      and (
        group_changes.kind = 'LEFT'
        or (
          group_changes.kind = 'VISIBILITY'
          and group_changes.user_id in (memberships.user_id, '00000000-0000-0000-0000-000000000000')
        )
      )
  ) as "sees_otherwise!"
from unnest(:group_ids::uuid[], :afters::bigint[]) as watched (group_id, after)
inner join memberships on memberships.group_id = watched.group_id and memberships.user_id = :user_id
inner join groups on groups.id = memberships.group_id;

-- name: HiddenUsers :many
-- The users whom a user does not see, because one of the two has blocked the other ([C-10]).
select blocked_id as "user_id!" from blocks where blocker_id = :user_id
union
select blocker_id from blocks where blocked_id = :user_id;

-- name: LockUsers :many
-- Locks some users until the transaction ends, in the order of their ids: none of them becomes a member of a group meanwhile.
select id as user_id from users where id = any(:user_ids::uuid[]) order by id for no key update;

-- name: SharedGroups :many
-- The groups that two users each are both members of: the first of the one array and the first of the other, and so on.
-- @one UserID
-- @other UserID
select memberships.group_id, pair.one as "one!", pair.other as "other!"
from unnest(:ones::uuid[], :others::uuid[]) as pair (one, other)
inner join memberships on memberships.user_id = pair.one
inner join memberships as others on others.user_id = pair.other and others.group_id = memberships.group_id;

-- name: GroupIDs :many slow
-- All groups.
select id as group_id from groups order by id;

-- name: MembersSeen :many
-- The members of some groups as a user sees them who is a member too: of the other groups there are no rows ([TR-12]); nor of users
-- whom the user does not see ([C-10]). One statement, so that the number is that of the last change that is included ([TR-4]).
-- Of members who share with the group it has the current position, or the last one that was reported to the group; of others the last one,
-- if they stopped since the user joined.
select
  memberships.group_id, groups.sequence, {{epoch}} as "epoch!", memberships.user_id,
  coalesce(users.username, '') as "username!",
  memberships.state, memberships.warnings,
  case when seen.is_current then trackers.latitude when seen.is_kept then memberships.last_latitude end as latitude,
  case when seen.is_current then trackers.longitude when seen.is_kept then memberships.last_longitude end as longitude,
  case when seen.is_current then trackers.accuracy_m when seen.is_kept then memberships.last_accuracy_m end as accuracy_m,
  case when seen.is_current then trackers.altitude_m when seen.is_kept then memberships.last_altitude_m end as altitude_m,
  case when seen.is_current then trackers.speed_mps when seen.is_kept then memberships.last_speed_mps end as speed_mps,
  case when seen.is_current then trackers.course when seen.is_kept then memberships.last_course end as course,
  case when seen.is_current then trackers.recorded_at when seen.is_kept then memberships.last_recorded_at end as recorded_at,
  journeys.id as journey_id, journeys.kind as journey_kind, journeys.arrival_at as promised_at,
  case when journeys.id is not null and memberships.withheld_since is null then trackers.estimated_at end as estimated_at
from memberships as own
inner join groups on groups.id = own.group_id
inner join memberships on memberships.group_id = own.group_id
left join users on users.id = memberships.user_id
left join trackers on trackers.user_id = memberships.user_id
left join journey_groups
  on journey_groups.journey_id = trackers.journey_id and journey_groups.group_id = memberships.group_id
left join journeys on journeys.id = journey_groups.journey_id
cross join lateral (
  select
    memberships.withheld_since is null and coalesce(
      case when memberships.state = 'SOS' then trackers.received_at else trackers.determined_at end
      >= memberships.shared_since, false
    ) as is_current,
    memberships.last_kept_at >= case
      when memberships.withheld_since is null then own.joined_at else least(own.joined_at, memberships.shared_since)
    end as is_kept
) as seen
where
  own.user_id = :viewer_id and own.group_id = any(:group_ids::uuid[])
  and {{visible(memberships.user_id, :viewer_id)}}
order by memberships.group_id, memberships.user_id;
