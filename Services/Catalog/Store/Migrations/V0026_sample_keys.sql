-- The samples' exercises are of the source samples now, and their curated workouts have keys that begin with it.
-- Before, they had the source and the keys of the operator's own ones, replaced these, and were removed in their place
-- (CA-5).
-- What is not word for word a sample stays as it is.

lock table exercise_records in share row exclusive mode;

-- The id, the name, and the MD5 of the instructions, a line each.
create temporary table sample_exercises on commit drop as
select record.source_id, record.exercise_id
from (
  values
  ('back-squat', 'Barbell Squat', '5b9e3a6d442adfd32c55e3327d8140cd'),
  ('goblet-squat', 'Dumbbell Goblet Squat', '399faf3a51e69996fa9aec0df737d44e'),
  ('body-squat', 'Bodyweight Squat', '1abf61287b1a9ed2e61a4276fcb8d8ff'),
  ('deadlift', 'Barbell Deadlift', 'b17a79197bce8ba5a52c64f25b883a81'),
  ('romanian-deadlift', 'Romanian Deadlift', '269ae336d4fc3ca874388bbf0fd1bef8'),
  ('walking-lunge', 'Bodyweight Walking Lunge', 'e3a1bb525afb44cc852054600b617182'),
  ('hip-thrust', 'Barbell Hip Thrust', 'ca68b667b90b7c8ba6aff6ec077ab618'),
  ('calf-raise', 'Standing Calf Raises', '574980d024cb798788ee89f9bd1ae3e1'),
  ('leg-curl', 'Lying Leg Curls', 'd689c2e46a555adc8d3df9773f6559c0'),
  ('leg-press', 'Leg Press', 'c1a169e0268246766040fc951be2a201'),
  ('bench-press', 'Barbell Bench Press', '853370a18b68126abc399781e2153e23'),
  ('dumbbell-bench-press', 'Dumbbell Bench Press', 'c431b4e87b530c078cd9020f77083f45'),
  ('push-up', 'Pushups', '2f1ab494629ab68d07a27c39445a366a'),
  ('fly', 'Dumbbell Flyes', 'f09791ab5f9963ee2a3d38e6210d7b92'),
  ('overhead-press', 'Standing Military Press', 'daeb70793eb7f1302957269ccb7c7855'),
  ('lateral-raise', 'Side Lateral Raise', 'e3085467404a185af04d661364097228'),
  ('row', 'Bent Over Barbell Row', '25ceb6f4a407fc6c289838ae1980283f'),
  ('one-arm-row', 'One-Arm Dumbbell Row', 'e05e1eb868d66daf1ccadc222c7627fa'),
  ('pull-up', 'Pullups', '5b5c2bdd44f748c9b4212318ccedbfe0'),
  ('lat-pulldown', 'Wide-Grip Lat Pulldown', 'c6685e27913d01139aace3d4b13ae92f'),
  ('seated-row', 'Seated Cable Rows', 'c1682b358bfcd371c50c8581b90cc01d'),
  ('face-pull', 'Face Pull', 'bc5773840963d4082bec82bf898607e3'),
  ('biceps-curl', 'Dumbbell Bicep Curl', 'd12af739e874fc4c6e550bbb54f025ad'),
  ('barbell-curl', 'Barbell Curl', 'c920287145ba518dd56f3d9fdfad5ea7'),
  ('pushdown', 'Triceps Pushdown', '70ab03e6ad70d0b53128ad87ccada858'),
  ('bench-dip', 'Bench Dips', 'f85d7ca50b7003e209ee2d8384846aee'),
  ('crunch', 'Crunches', 'a7b460bc62c97afce0e4087bb7b945b8'),
  ('leg-raise', 'Hanging Leg Raise', 'f4d76037fc278331416c65e5698079c0'),
  ('plank', 'Plank', 'ded09a1daa0e5776e61191c30548bd36'),
  ('russian-twist', 'Russian Twist', '48b45c80f594c7b9eaae22895dc10ac5'),
  ('mountain-climber', 'Mountain Climbers', '7d7ba1eba96b082e235b54e7ffd9d27d'),
  ('rope-jump', 'Rope Jumping', 'b7d3de94f7b9107457979a46cd2dbd26'),
  ('hamstring-stretch', 'Hamstring Stretch', '9e18abee066588480d62fbc0cb4b3128'),
  ('child-pose', 'Child''s Pose', '165a9aaf79e290f97d4765b45b999e54')
) as sample (source_id, name, instructions)
join exercise_records as record
  on
    record.source = 'tandem' and record.source_id = sample.source_id and record.name = sample.name
    and md5(array_to_string(record.instructions, e'\n')) = sample.instructions;

update exercise_records set source = 'samples'
from sample_exercises
where exercise_records.source = 'tandem' and exercise_records.source_id = sample_exercises.source_id;

-- Clients' copies of the list are told (C-11).
update exercises set
  sources = renewed.sources,
  instructions_source = case
    when exercises.instructions_source = 'tandem' and 'tandem' <> all(renewed.sources) then 'samples'
    else exercises.instructions_source
  end,
  change = renewed.change
from (
  with last as (select coalesce(max(change), 0) as change from exercises)

  select sourced.id, sourced.sources, last.change + row_number() over (order by sourced.id) as change
  from (
    select
      exercises.id, array_agg(
        case
          when origin.source = 'tandem' and sample_exercises.source_id is not null then 'samples' else origin.source
        end
        order by origin.place
      ) as sources
    from exercises
    cross join unnest(exercises.sources, exercises.source_ids) with ordinality as origin (source, source_id, place)
    left join sample_exercises on sample_exercises.source_id = origin.source_id
    where exercises.id in (select mended.exercise_id from sample_exercises as mended)
    group by exercises.id
  ) as sourced
  cross join last
) as renewed
where exercises.id = renewed.id;

-- The key, the name, the description, and of each entry sets, repetitions, seconds, and seconds of rest.
update workouts set curated_key = 'samples:' || workouts.curated_key
from (
  values
  (
    'full-body-first', 'First Full Body',
    'Three times a week, one exercise for each part of the body. '
    'Add a little weight whenever all repetitions were easy.',
    '3/10/0/90 3/10/0/90 3/10/0/90 2/12/0/60 3/0/30/60'
  ),
  (
    'push-day', 'Push Day',
    'Chest, shoulders and triceps.',
    '4/6/0/150 3/8/0/120 3/12/0/60 3/15/0/60 3/12/0/60'
  ),
  (
    'pull-day', 'Pull Day',
    'Back and biceps.',
    '4/6/0/150 4/8/0/120 3/15/0/60 3/10/0/60'
  ),
  (
    'leg-day', 'Leg Day',
    'Everything from the hips down.',
    '4/6/0/180 3/8/0/120 3/12/0/90 3/12/0/60 4/15/0/45'
  ),
  (
    'core-quarter-hour', 'Core in a Quarter of an Hour',
    'No equipment but a mat.',
    '3/0/40/30 3/15/0/30 3/20/0/30 3/0/30/30'
  ),
  (
    'hotel-room', 'Hotel Room',
    'The whole body without equipment.',
    '4/15/0/45 4/10/0/60 3/20/0/60 3/10/0/60 1/0/60/0'
  )
) as sample (key, name, description, entries)
where
  workouts.owner_id is null and workouts.curated_key = sample.key
  and workouts.name = sample.name and workouts.description = sample.description
  and (
    select
      string_agg(
        format('%s/%s/%s/%s', entry.sets, entry.reps, entry.duration_s, entry.rest_s), ' ' order by entry.place
      )
    from workout_entries as entry where entry.workout_id = workouts.id
  ) = sample.entries;

comment on column workouts.curated_key is
'What the file of curated workouts calls it; of samples after "samples:". Null for a user''s own.';
