-- name: InsertFeedback :one
-- Stores feedback and counts its rating ([MA-11]); fails with `feedback_once` where there is some. An author counts once for a
-- recipient, by the latest rating. The session changes for the author, who cannot give feedback on it again ([C-11]).
with earlier as materialized (
  select rating from feedback where recipient_id = :recipient_id and author_id = :author_id order by id desc limit 1
), entry as (
  insert into feedback (id, session_id, author_id, recipient_id, rating, adjectives, remarks, given_at)
  values (:feedback_id, :session_id, :author_id, :recipient_id, :rating, :adjectives, :remarks, :now)
  returning session_id, author_id, recipient_id, rating
), told as (
  update participations set changed_in = pg_current_xact_id()
  from entry where participations.session_id = entry.session_id and participations.user_id = entry.author_id
)
update users
set
  rating_count = rating_count + case when exists (select from earlier) then 0 else 1 end,
  rating_sum = rating_sum + entry.rating - coalesce((select rating from earlier), 0)
from entry where users.id = entry.recipient_id
returning 1 as "stored!";

-- name: FeedbackOnUser :many
-- A page of the feedback that a user received, the newest first.
-- @author_username: Empty if it is not known.
select
  feedback.id, feedback.session_id, feedback.author_id, coalesce(author.username, '') as "author_username!",
  feedback.rating, feedback.adjectives, feedback.remarks, feedback.given_at
from feedback left join users as author on author.id = feedback.author_id
where feedback.recipient_id = :user_id and feedback.id < {{before(:before_feedback_id?::uuid)}}
order by feedback.id desc limit :limit;

-- name: DeleteFeedbackOnUser :many
-- Removes some of the feedback that a user received ([C-9]).
delete from feedback where id in (
  select id from feedback where recipient_id = :user_id order by id limit :limit
) returning true as "removed!";

-- name: ForgetFeedbackAuthor :many
-- Removes the author of some feedback, and the text, after the account deletion ([C-9]); the rating stays.
update feedback set author_id = null, remarks = '' where id in (
  select id from feedback where author_id = :user_id order by id limit :limit
) returning true as "forgotten!";

-- name: BlockBetween :one
-- Whether one of two users has blocked the other ([C-10]).
select {{blocked(:user_id::uuid, :other_id::uuid)}} as "is_blocked!";
