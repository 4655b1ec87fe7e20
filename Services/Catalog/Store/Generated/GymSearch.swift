// Made from gym_search.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// An indexed word that a keyword may mean.
package struct MeantWord: Sendable, RowDecodable {
  /// Of the keyword, from 1.
  package let place: Int64
  package let word: String

  package init(place: Int64, word: String) {
    self.place = place
    self.word = word
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> MeantWord {
    MeantWord(place: try row.next(), word: try row.next())
  }
}

/// The indexed words that equal a keyword, or begin with one that is long enough; the shortest first, so that the keyword itself is
/// included.
package struct WordsBeginning: Statement {
  package typealias Row = MeantWord
  package static let pace = Pace.slow
  package static let sql = """
    select keyword.place as place, found.word as word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select gym_words.word from gym_words
      where gym_words.word = keyword.word or (
        char_length(keyword.word) >= 3 and gym_words.word >= keyword.word collate "C"
        and gym_words.word < (keyword.word || chr(1114111)) collate "C"
      )
      order by char_length(gym_words.word), gym_words.word
      limit 30
    ) as found
    """
  package let keywords: [String]

  package init(keywords: [String]) {
    self.keywords = keywords
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try MeantWord.decode(row)
  }
}

/// The indexed words that differ from a keyword by at most two letters, from a keyword of up to three letters by one ([CA-2]).
///
/// Numbers are left out: a postcode with another digit is another postcode.
package struct WordsSpeltLike: Statement {
  package typealias Row = MeantWord
  package static let pace = Pace.slow
  package static let sql = """
    select keyword.place as place, found.word as word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select candidate.word
      from (
        select gym_words.word, null::integer as edits from gym_words
        where gym_words.word !~ '[0-9]' and gym_words.word operator(extensions.%) keyword.word
        union all
        select gym_words.word, null from gym_words
        where gym_words.word !~ '[0-9]' and left(gym_words.word, 1) = left(keyword.word, 1)
          and char_length(gym_words.word) between char_length(keyword.word) - 2 and char_length(keyword.word) + 2
        union all
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
    where keyword.word !~ '[0-9]'
    """
  package let keywords: [String]

  package init(keywords: [String]) {
    self.keywords = keywords
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try MeantWord.decode(row)
  }
}

/// A page of the gyms that match every part of a query, the best first, then by id ([CA-2]): exact names, then gyms that have every keyword
/// as a word, then those with words that begin with the keywords.
package struct GymsWithWords: Statement {
  package struct Row: Sendable {
    package let gym: StoredGym
    /// More is better.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select gym.id as id, gym.name as name, gym.latitude as latitude, gym.longitude as longitude,
    gym.street as street, gym.house_number as house_number, gym.postcode as postcode, gym.city as city,
    gym.country as country, gym.phone as phone, gym.website as website, gym.time_zone,
    gym.opening_hours as opening_hours, coalesce(reported.capacity, gym.capacity) as capacity,
    reported.people as reported_people, reported.observed_at as reported_at, present.people as checked_in,
    present.latest as checked_in_at, rated.score as score
    from (
      select rated.id, rated.score from gyms_with_words($1::text[], $2::text[], $3::text[], 500) as rated
      where $4::double precision is null
        or rated.score < $4 or (rated.score = $4 and rated.id > $5::uuid)
      order by rated.score desc, rated.id
      limit $6::bigint
    ) as rated
    join gyms as gym on gym.id = rated.id
    left join gym_usage as reported on reported.gym_id = gym.id
    cross join lateral (
      select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
      where presence.gym_id = gym.id and presence.checked_in_at > $7::timestamptz
        and presence.checked_in_at <= $8::timestamptz and presence.leaves_at > $8::timestamptz
    ) as present
    order by rated.score desc, rated.id
    """
  /// A `tsquery` for each keyword.
  package let queries: [String]
  /// A `tsquery` for each keyword as a word.
  package let words: [String]
  /// The words of names that consist of the keywords.
  package let keys: [String]
  package let afterScore: Double?
  package let afterID: GymID?
  package let limit: Int64
  package let since: Instant
  package let now: Instant

  package init(
    queries: [String], words: [String], keys: [String], afterScore: Double?, afterID: GymID?, limit: Int64,
    since: Instant, now: Instant) {
    self.queries = queries
    self.words = words
    self.keys = keys
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
    self.since = since
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(queries)
    p.append(words)
    p.append(keys)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
    p.append(since)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try StoredGym(GymColumns.decode(row)), score: try row.next())
  }
}

/// The gyms that a search may find, for an evaluation of searches.
package struct JudgedGyms: Statement {
  package struct Row: Sendable {
    package let id: GymID
    package let sourceID: String
    package let name: String
    package let street: String
    package let houseNumber: String
    package let postcode: String
    package let city: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, source_id, name, street, house_number, postcode, city from gyms order by id limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), sourceID: try row.next(), name: try row.next(), street: try row.next(),
      houseNumber: try row.next(), postcode: try row.next(), city: try row.next())
  }
}

/// A page of the gyms that match every part of a query, those nearest to a point first, then by id ([CA-2]).
package struct GymsWithWordsNear: Statement {
  package struct Row: Sendable {
    package let gym: StoredGym
    /// The distance of its vector from the point's.
    package let chord: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select gym.id as id, gym.name as name, gym.latitude as latitude, gym.longitude as longitude,
    gym.street as street, gym.house_number as house_number, gym.postcode as postcode, gym.city as city,
    gym.country as country, gym.phone as phone, gym.website as website, gym.time_zone,
    gym.opening_hours as opening_hours, coalesce(reported.capacity, gym.capacity) as capacity,
    reported.people as reported_people, reported.observed_at as reported_at, present.people as checked_in,
    present.latest as checked_in_at, near.chord as chord
    from (
      select gyms.id, gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) as chord
      from gyms_with_words($2::text[], $3::text[], $4::text[], 500) as rated join gyms on gyms.id = rated.id
      where ($5::double precision is null or (gyms.place operator(extensions.<->) extensions.cube($1::double precision[]), gyms.id) > ($5, $6::uuid))
      order by chord, gyms.id
      limit $7::bigint
    ) as near
    join gyms as gym on gym.id = near.id
    left join gym_usage as reported on reported.gym_id = gym.id
    cross join lateral (
      select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
      where presence.gym_id = gym.id and presence.checked_in_at > $8::timestamptz
        and presence.checked_in_at <= $9::timestamptz and presence.leaves_at > $9::timestamptz
    ) as present
    order by near.chord, near.id
    """
  package let vector: [Double]
  /// A `tsquery` for each keyword.
  package let queries: [String]
  /// A `tsquery` for each keyword as a word.
  package let words: [String]
  /// The words of names that consist of the keywords.
  package let keys: [String]
  package let afterChord: Double?
  package let afterID: GymID?
  package let limit: Int64
  package let since: Instant
  package let now: Instant

  package init(
    vector: [Double], queries: [String], words: [String], keys: [String], afterChord: Double?, afterID: GymID?,
    limit: Int64, since: Instant, now: Instant) {
    self.vector = vector
    self.queries = queries
    self.words = words
    self.keys = keys
    self.afterChord = afterChord
    self.afterID = afterID
    self.limit = limit
    self.since = since
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(queries)
    p.append(words)
    p.append(keys)
    p.append(afterChord)
    p.append(afterID)
    p.append(limit)
    p.append(since)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try StoredGym(GymColumns.decode(row)), chord: try row.next())
  }
}

/// The positions of some gyms in whose addresses all words of a postcode or town occur; the caller compares these ([CA-2]).
package struct GymsAtPlace: Statement {
  package struct Row: Sendable {
    package let latitude: Double
    package let longitude: Double
    package let postcode: String
    package let city: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select gyms.latitude, gyms.longitude, gyms.postcode, gyms.city from gyms where gyms.words @@ $1::tsquery limit 500
    """
  /// A `tsquery` of the words.
  package let query: String

  package init(query: String) {
    self.query = query
  }

  package func bind(_ p: inout Parameters) {
    p.append(query)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(latitude: try row.next(), longitude: try row.next(), postcode: try row.next(), city: try row.next())
  }
}
