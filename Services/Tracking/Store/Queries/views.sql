-- columns: StoredJourney: Equatable
-- A journey or an alert: `journey`.
journey.id, journey.user_id, journey.kind, journey.started_at, journey.ended_at, journey.outcome, journey.latitude,
journey.longitude, journey.arrival_at, journey.mode, journey.alerted_count;

-- fragment: journey_seen(journey, viewer)
-- Whether a user sees a journey or alert ([TR-11]): its own user, and members of its groups that its user is a member of too, unless one has
-- blocked the other ([C-10]).
(
  {{journey}}.user_id = {{viewer}}
  or (
    exists (
      select from journey_groups as seen
      join memberships as viewer on viewer.group_id = seen.group_id
      join memberships as owner on owner.group_id = seen.group_id
      where seen.journey_id = {{journey}}.id and viewer.user_id = {{viewer}} and owner.user_id = {{journey}}.user_id
    )
    and {{visible({{journey}}.user_id, {{viewer}})}}
  )
)
and {{present({{journey}}.user_id)}};

-- fragment: present(user)
-- True unless the account of a user was deleted, and the journeys of the user are about to be removed.
{{user}} <> all(array(select user_id from erasures));

-- name: JourneySeenBy :one
-- A journey or alert, and those of its groups that a user sees it in: for its own user all, for others those of which both are members
-- ([TR-11]). No row for others, and where one has blocked the other ([C-10]).
-- @group_ids: In the order of their ids.
-- @estimated_at: Of a user whose positions are reported to one of these groups.
select {{StoredJourney}},
  case
    when journey.user_id = :viewer_id or exists (
      select from journey_groups as seen
      join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = :viewer_id
      join memberships as owner on owner.group_id = seen.group_id and owner.user_id = journey.user_id
      where seen.journey_id = journey.id and owner.withheld_since is null
    ) then tracker.estimated_at
  end as estimated_at,
  array(
    select seen.group_id from journey_groups as seen
    where seen.journey_id = journey.id
      and (
        journey.user_id = :viewer_id
        or exists (
          select from memberships as viewer where viewer.group_id = seen.group_id and viewer.user_id = :viewer_id
        )
      )
    order by seen.group_id
  ) as "group_ids!"
from journeys as journey
left join trackers as tracker on tracker.user_id = journey.user_id and tracker.journey_id = journey.id
where journey.id = :journey_id and {{journey_seen(journey, :viewer_id)}};

-- name: PathOf :many slow
-- The path of a journey or alert that a user sees at that moment ([TR-12]), in order; of another no rows. A member who joined later sees what comes
-- from then on; and of positions that were reported to some groups only who is in one of these.
-- @after: The time of the last point of the previous page.
select recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course from path_points
where user_id = :user_id and recorded_at > :after and recorded_at >= :started_at and recorded_at <= :ended_at
  and exists (
    select from journeys as journey where journey.id = :journey_id and {{journey_seen(journey, :viewer_id)}}
  )
  and (
    :viewer_id = :user_id
    or recorded_at >= (
      select min(viewer.joined_at)
      from journey_groups as seen
      join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = :viewer_id
      where seen.journey_id = :journey_id
    )
  )
  and (
    :viewer_id = :user_id or group_ids is null or exists (
      select from journey_groups as seen
      join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = :viewer_id
      join memberships as owner on owner.group_id = seen.group_id and owner.user_id = :user_id
      where seen.journey_id = :journey_id and seen.group_id = any(path_points.group_ids)
        and viewer.joined_at <= path_points.recorded_at
    )
  )
order by recorded_at
limit :limit;
