-- [MA-5] An open session has one active participant, its owner; a matched one has two, its owner and partner.
select 'session ' || sessions.id
from sessions
left join participations on participations.session_id = sessions.id and participations.active
where sessions.state in ('OPEN', 'MATCHED')
group by sessions.id
having
  count(participations.user_id) <> num_nonnulls(sessions.owner_id, sessions.partner_id)
  or count(*) filter (where participations.user_id not in (sessions.owner_id, sessions.partner_id)) > 0;

-- [MA-2] A participation that holds a slot holds that of its session.
select 'session ' || sessions.id || ', user ' || participations.user_id
from participations
join sessions on sessions.id = participations.session_id
where
  participations.active
  and participations.slot <> tstzrange(sessions.starts_at, sessions.ends_at);

-- [MA-9] All who took part in a successful session to its end had checked in.
select 'session ' || sessions.id || ', user ' || participations.user_id
from sessions
join participations on participations.session_id = sessions.id
where sessions.state = 'SUCCESSFUL' and participations.present and participations.checked_in_at is null;

-- [MA-10] A user who checked in for a session is not barred for missing it.
select 'bar ' || bars.id
from bars
join participations on participations.session_id = bars.session_id and participations.user_id = bars.user_id
where bars.cause = 'NO_SHOW' and participations.present and participations.checked_in_at is not null;

-- [MA-7] [MA-10] A late cancellation bars for 24 h, a missed session for 72 h.
select 'bar ' || id
from bars
where ends_at - began_at <> case cause when 'NO_SHOW' then interval '72 hours' else interval '24 hours' end;

-- [MA-10] A user has one bar of a cause for a session.
select 'session ' || session_id || ', user ' || user_id || ', ' || cause
from bars
where cause = 'NO_SHOW'
group by session_id, user_id, cause
having count(*) > 1;

-- [MA-11] Feedback is for sessions that succeeded, by participants about participants.
select 'feedback ' || feedback.id
from feedback
join sessions on sessions.id = feedback.session_id
where sessions.state <> 'SUCCESSFUL';

-- [MA-14] Each bar has its audit trail from the beginning, and was lifted exactly where the trail says so.
select 'bar ' || bars.id
from bars
left join bar_changes on bar_changes.bar_id = bars.id
group by bars.id
having
  count(*) filter (where bar_changes.change = 'IMPOSED') <> 1
  or (bars.lifted_at is not null) <> (count(*) filter (where bar_changes.change = 'LIFTED') = 1);

-- [MA-17] A place is offered to a user who is there.
select 'session ' || sessions.id
from sessions
join users on users.id = sessions.offered_to
where users.deleted and users.cleaned_up;

-- [C-9] Of a user who was deleted nothing stays open.
select 'user ' || users.id
from users
where
  users.deleted and users.cleaned_up
  and (
    exists (select from participations where participations.user_id = users.id and participations.active)
    or exists (select from partner_listings where partner_listings.user_id = users.id)
    or exists (select from saved_searches where saved_searches.user_id = users.id)
    or exists (select from waiting_list where waiting_list.user_id = users.id)
    or exists (select from repetitions where repetitions.user_id = users.id)
    or exists (select from calendar_links where calendar_links.user_id = users.id)
  );

-- [MA-11] A user's ratings count the last feedback that is kept of each author, and one at least of those who left.
select 'user ' || users.id
from users
join feedback on feedback.recipient_id = users.id
left join feedback as later
  on
    later.recipient_id = feedback.recipient_id
    and later.author_id is not distinct from feedback.author_id
    and later.id > feedback.id
where not users.deleted and later.id is null
group by users.id
having count(*) > users.rating_count or sum(feedback.rating) > users.rating_sum;
