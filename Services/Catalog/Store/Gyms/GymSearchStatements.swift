import CatalogDomain
import Identifiers
import Postgres

/// An indexed word that a keyword may mean.
package struct MeantWord: Sendable {
  /// The index of the keyword.
  package let keyword: Int
  package let word: String

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> MeantWord {
    MeantWord(keyword: Int(try row.next() as Int64) - 1, word: try row.next())
  }
}

/// The indexed words that equal a keyword, or begin with one that is long enough; the shortest first, so that the keyword itself is
/// included.
package struct WordsBeginning: Statement {
  package static let pace = Pace.slow
  /// More are not used: each makes the search that follows slower.
  private static let most = 30

  // In byte order U+10FFFF sorts after every character of a word.
  package static let sql = """
    select keyword.place, found.word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select gym_words.word from gym_words
      where gym_words.word = keyword.word or (
        char_length(keyword.word) >= \(shortestBeginning) and gym_words.word >= keyword.word collate "C"
        and gym_words.word < (keyword.word || chr(1114111)) collate "C"
      )
      order by char_length(gym_words.word), gym_words.word
      limit \(most)
    ) as found
    """
  private static let shortestBeginning = 3
  let keywords: GymKeywords

  package init(_ keywords: GymKeywords) { self.keywords = keywords }

  package func bind(_ p: inout Parameters) { p.append(keywords.words) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> MeantWord { try .decode(row) }
}

/// The indexed words that differ from a keyword by at most two letters, from a keyword of up to three letters by one ([CA-2]).
///
/// Numbers are left out: a postcode with another digit is another postcode.
package struct WordsSpeltLike: Statement {
  package static let pace = Pace.slow
  // Trigrams find words that have most letters in the same positions. A word of five letters of which two are exchanged shares few trigrams
  // with the intended one, but begins with the same letter and has a similar length.
  package static let sql = """
    select keyword.place, found.word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select candidate.word
      from (
        select gym_words.word from gym_words
        where gym_words.word !~ '[0-9]' and gym_words.word operator(extensions.%) keyword.word
        union
        select gym_words.word from gym_words
        where gym_words.word !~ '[0-9]' and left(gym_words.word, 1) = left(keyword.word, 1)
          and char_length(gym_words.word) between char_length(keyword.word) - 2 and char_length(keyword.word) + 2
      ) as candidate
      cross join lateral (
        select extensions.levenshtein_less_equal(candidate.word, keyword.word, 2) as edits
      ) as spelt
      where spelt.edits <= case when char_length(keyword.word) < 4 then 1 else 2 end
      order by spelt.edits, candidate.word
      limit 10
    ) as found
    where keyword.word !~ '[0-9]'
    """
  let keywords: GymKeywords

  package init(_ keywords: GymKeywords) { self.keywords = keywords }

  package func bind(_ p: inout Parameters) { p.append(keywords.words) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> MeantWord { try .decode(row) }
}

/// A page of the gyms that match every part of a query, the best first, then by id ([CA-2]).
package struct GymsWithWords: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let gym: StoredGym
    /// More is better.
    package let score: Double
  }

  /// The position after which a page begins.
  package struct Position: Sendable {
    let score: Double
    let id: GymID

    /// After the gym with this score and id.
    package init(score: Double, id: GymID) {
      self.score = score
      self.id = id
    }
  }

  /// The most gyms that are ranked: users do not read further, and a word that so many gyms have is not selective.
  private static let maxCandidates = 500

  package static let sql = """
    select \(StoredGym.columns), rated.score
    from (
      select rated.id, rated.score from gyms_with_words($1::text[], \(maxCandidates)) as rated
      where $2::double precision is null or rated.score < $2 or (rated.score = $2 and rated.id > $3::uuid)
      order by rated.score desc, rated.id
      limit $4::bigint
    ) as rated
    join gyms as gym on gym.id = rated.id
    \(StoredGym.usage(since: "$5", now: "$6"))
    order by rated.score desc, rated.id
    """
  let query: GymQuery
  let after: Position?
  let limit: Int64
  let now: Instant

  package init(_ query: GymQuery, after: Position?, limit: Int64, now: Instant) {
    self.query = query
    self.after = after
    self.limit = limit
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(query.queries)
    p.append(after?.score)
    p.append(after?.id)
    p.append(limit)
    p.appendUsage(at: now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try .decode(row), score: try row.next())
  }
}
