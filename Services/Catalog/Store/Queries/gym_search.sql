-- columns: MeantWord
-- An indexed word that a keyword may mean.
-- @place: Of the keyword, from 1.
keyword.place as "place!", found.word as "word!";

-- name: WordsBeginning :many slow
-- The indexed words that equal a keyword, or begin with one that is long enough; the shortest first, so that the keyword itself is
-- included.
select {{MeantWord}}
from unnest(:keywords::text[]) with ordinality as keyword (word, place)
cross join lateral (
  select gym_words.word from gym_words
  where gym_words.word = keyword.word or (
    -- In byte order U+10FFFF sorts after every character of a word.
    char_length(keyword.word) >= 3 and gym_words.word >= keyword.word collate "C"
    and gym_words.word < (keyword.word || chr(1114111)) collate "C"
  )
  order by char_length(gym_words.word), gym_words.word
  -- More are not used: each makes the search that follows slower.
  limit 30
) as found;

-- name: WordsSpeltLike :many slow
-- The indexed words that differ from a keyword by at most two letters, from a keyword of up to three letters by one ([CA-2]).
--
-- Numbers are left out: a postcode with another digit is another postcode.
select {{MeantWord}}
from unnest(:keywords::text[]) with ordinality as keyword (word, place)
cross join lateral (
  select candidate.word
  from (
    -- Trigrams find words that have most letters in the same positions. A word of five letters of which two are exchanged shares few
    -- trigrams with the intended one, but begins with the same letter and has a similar length.
    select gym_words.word, null::integer as edits from gym_words
    where gym_words.word !~ '[0-9]' and gym_words.word operator(extensions.%) keyword.word
    union all
    select gym_words.word, null from gym_words
    where gym_words.word !~ '[0-9]' and left(gym_words.word, 1) = left(keyword.word, 1)
      and char_length(gym_words.word) between char_length(keyword.word) - 2 and char_length(keyword.word) + 2
    union all
    -- Two neighbouring letters that are exchanged are one slip.
    select gym_words.word, 1 from with_letters_exchanged(keyword.word) as meant
    join gym_words on gym_words.word = meant.word
  ) as candidate
  cross join lateral (
    select coalesce(candidate.edits, extensions.levenshtein_less_equal(candidate.word, keyword.word, 2)) as edits
  ) as spelt
  where spelt.edits <= case when char_length(keyword.word) < 4 then 1 else 2 end
  group by candidate.word
  order by min(spelt.edits), candidate.word
  limit 10
) as found
where keyword.word !~ '[0-9]';

-- name: GymsWithWords :many slow
-- A page of the gyms that match every part of a query, the best first, then by id ([CA-2]): exact names, then gyms that have every keyword
-- as a word, then those with words that begin with the keywords.
-- @score: More is better.
-- @queries: A `tsquery` for each keyword.
-- @words: A `tsquery` for each keyword as a word.
-- @keys: The words of names that consist of the keywords.
-- @after_id GymID
select {{GymColumns}}, rated.score as "score!"
from (
  -- At most 500 are ranked: users do not read further, and a word that so many gyms have is not selective.
  select rated.id, rated.score from gyms_with_words(:queries::text[], :words::text[], :keys::text[], 500) as rated
  where :after_score?::double precision is null
    or rated.score < :after_score? or (rated.score = :after_score? and rated.id > :after_id?::uuid)
  order by rated.score desc, rated.id
  limit :limit::bigint
) as rated
join gyms as gym on gym.id = rated.id
{{joined_usage(:since, :now)}}
order by rated.score desc, rated.id;

-- name: JudgedGyms :many slow
-- The gyms that a search may find, for an evaluation of searches.
-- @id GymID
select id, source_id, name, street, house_number, postcode, city from gyms order by id limit :limit;

-- name: GymsWithWordsNear :many slow
-- A page of the gyms that match every part of a query, those nearest to a point first, then by id ([CA-2]).
-- @chord: The distance of its vector from the point's.
-- @queries: A `tsquery` for each keyword.
-- @words: A `tsquery` for each keyword as a word.
-- @keys: The words of names that consist of the keywords.
-- @after_id GymID
select {{GymColumns}}, near.chord as "chord!"
from (
  select gyms.id, {{chord_of_gym}} as chord
  from gyms_with_words(:queries::text[], :words::text[], :keys::text[], 500) as rated join gyms on gyms.id = rated.id
  where {{is_further}}
  order by chord, gyms.id
  limit :limit::bigint
) as near
join gyms as gym on gym.id = near.id
{{joined_usage(:since, :now)}}
order by near.chord, near.id;

-- name: GymsAtPlace :many slow
-- The positions of some gyms in whose addresses all words of a postcode or town occur; the caller compares these ([CA-2]).
-- @query: A `tsquery` of the words.
select gyms.latitude, gyms.longitude, gyms.postcode, gyms.city from gyms where gyms.words @@ :query::tsquery limit 500;
