-- [CA-22] The order of a book's list is that of its status.
select 'book ' || id
from books
where
  deleted_at is null
  and status_order <> array_position(array['AVAILABLE', 'REQUESTED', 'ACCEPTED', 'BORROWED'], status);

-- [CA-20] A user's count of books is that of their books.
select 'user ' || users.id
from users
left join books on books.owner_id = users.id and books.deleted_at is null
where not users.deleted
group by users.id
having users.books <> count(books.id);

-- [CA-12] A user's count of workouts is that of their workouts.
select 'user ' || users.id
from users
left join workouts on workouts.owner_id = users.id and workouts.deleted_at is null
where not users.deleted
group by users.id
having users.workouts <> count(workouts.id);

-- [CA-14] A user's count of logged workouts is that of their logs.
select 'user ' || users.id
from users
left join workout_logs on workout_logs.owner_id = users.id
where not users.deleted
group by users.id
having users.workout_logs <> count(workout_logs.id);

-- [CA-26] A book's count of photographs is that of its pictures.
select 'book ' || books.id
from books
left join pictures on pictures.holder_id = books.id
where books.deleted_at is null
group by books.id
having books.photos <> count(pictures.id);

-- [CA-24] A book that was deleted has no borrower.
select 'book ' || id
from books
where deleted_at is not null and borrower_id is not null;

-- [CA-27] No comment is empty.
select 'comment ' || id
from comments
where btrim(text) = '';

-- [CA-10] An exercise that was merged into another is not the aim of a merge.
select 'exercise ' || merged.id
from exercises as merged
join exercises as aim on aim.id = merged.merged_into
where aim.merged_into is not null;

-- [CA-28] A user's count of ratings is that of their ratings.
select 'user ' || users.id
from users
left join book_ratings on book_ratings.user_id = users.id
where not users.deleted
group by users.id
having users.ratings <> count(book_ratings.isbn);
