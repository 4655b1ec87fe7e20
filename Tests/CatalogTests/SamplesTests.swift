import ArgumentParser
import CatalogDomain
import CatalogLoading
import CatalogStore
import Environment
import Foundation
import Identifiers
import LoopExecutor
import Postgres
import ServiceRuntime
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("the samples", .timeLimit(.minutes(5)))
struct SamplesTests {
  private static let loops = LoopGroup(threads: 1)
  private static let hungerGames = "1,9780439023481,Suzanne Collins,The Hunger Games,,2008,eng\n"

  private func connected(
    to catalog: RunningCatalog, _ body: (BulkConnection) async throws -> Void
  ) async throws {
    let configuration = DatabaseConfiguration(
      url: catalog.database.url(of: "catalog"), applicationName: "load", schema: "catalog")
    try await BulkConnection.with(configuration, on: Self.loops.executors[0], body)
  }

  private func load(books: String, into catalog: RunningCatalog) async throws {
    var rest: [UInt8]? = Array(("book_id,isbn13,authors,title,original_title,year,language\n" + books).utf8)
    try await connected(to: catalog) { connection in
      _ = try await BookLoader(.goodbooks, report: { _ in }).load(over: connection) { rest.take() }
    }
  }

  private func load(ratings: String, into catalog: RunningCatalog) async throws {
    var rest: [UInt8]? = Array(("user_id,book_id,rating\n" + ratings).utf8)
    try await connected(to: catalog) { connection in
      _ = try await RatingLoader(.goodbooks, environment: .system, report: { _ in }).load(over: connection) {
        rest.take()
      }
    }
  }

  private func url(_ catalog: RunningCatalog) -> String { "--database-url=\(catalog.database.url(of: "catalog"))" }

  /// How many gyms, records, ratings, curated workouts and exercises there are.
  private func counts(_ catalog: RunningCatalog) async throws -> [String?] {
    try await catalog.sql(
      """
      select (select count(*) from gyms), (select count(*) from editions), (select count(*) from reader_ratings),
        (select count(*) from workouts), (select count(*) from exercises)
      """)[0]
  }

  @Test("[CA-5] samples are not loaded over what was loaded before: real records stay")
  func realRecordsStay() async throws {
    try await RunningCatalog.with { catalog in
      try await load(books: Self.hungerGames, into: catalog)
      let refused = await #expect(throws: StartupError.self) {
        try await LoadSamplesCommand.parse([url(catalog)]).run()
      }
      #expect(
        refused?.lines == ["the catalog has other data: samples are for an empty one; nothing was loaded"])
      let found = try await catalog.books.lookUpIsbn(LookUpIsbnRequest(isbn: "9780439023481"), TestUser.ada.options)
      #expect(found.title == "The Hunger Games")
      #expect(try await counts(catalog) == ["0", "1", "0", "0", "0"])
    }
  }

  @Test("[CA-5] samples have a source and ISBNs of their own, so that real records loaded later meet none of them")
  func ownSource() async throws {
    try await RunningCatalog.with { catalog in
      for _ in 0..<2 { try await LoadSamplesCommand.parse([url(catalog)]).run() }
      #expect(try await counts(catalog) == ["12", "13", "226", "6", "34"])
      let sources = try await catalog.sql(
        """
        select source from gyms union select source from editions union select source from reader_ratings
        union select source from exercise_records union select split_part(curated_key, ':', 1) from workouts
        """)
      #expect(sources == [["samples"]])
      // No registration group has 979-9.
      #expect(try await catalog.value("select bool_and(isbn::text like '9799%') from editions") == "t")
      try await load(books: Self.hungerGames, into: catalog)
      try await load(ratings: "1,1,5\n", into: catalog)
      #expect(try await counts(catalog) == ["12", "14", "227", "6", "34"])
    }
  }

  @Test("[CA-5] one command removes the samples with their ratings, and nothing that was loaded besides")
  func removal() async throws {
    try await RunningCatalog.with { catalog in
      try await LoadSamplesCommand.parse([url(catalog)]).run()
      try await load(books: Self.hungerGames, into: catalog)
      try await load(ratings: "1,1,5\n", into: catalog)
      try await catalog.sql("delete from jobs")

      for _ in 0..<2 { try await RemoveSamplesCommand.parse([url(catalog)]).run() }

      #expect(try await counts(catalog) == ["0", "1", "1", "0", "34"], "exercises stay")
      let job = try await catalog.sql("select kind, key from jobs")
      #expect(job == [["rebuild_recommendations", "load"]], "recommendations are computed anew")
    }
  }

  /// Loads an exercise and a workout of it that are no samples, and have the keys of two.
  private func loadOwnPushDay(into catalog: RunningCatalog) async throws {
    let exercise =
      #"[{"id": "bench-press", "name": "Paused Bench", "primaryMuscles": ["chest"], "instructions": ["Pause."]}]"#
    let workout =
      #"[{"id": "push-day", "name": "Own Push Day", "entries": [{"exercise": "bench-press", "sets": 5, "reps": 5}]}]"#
    try await RunningCatalog.load(exercise.utf8, .tandem, into: catalog.database)
    try await RunningCatalog.loadCurated(workout.utf8, into: catalog.database)
  }

  /// The operator's own exercises and curated workouts, as they are stored.
  private func own(_ catalog: RunningCatalog) async throws -> [[String?]] {
    try await catalog.sql(
      """
      select exercise_records::text from exercise_records where source = 'tandem'
      union all
      select workouts::text || array(select entry::text from workout_entries as entry where workout_id = workouts.id)::text
      from workouts where curated_key = 'push-day'
      """)
  }

  @Test("[CA-5] samples leave a curated workout and an exercise with the keys of samples alone, whichever came first")
  func sharedKeys() async throws {
    try await RunningCatalog.with { catalog in
      try await loadOwnPushDay(into: catalog)
      let before = try await own(catalog)
      #expect(before.count == 2)
      await #expect(throws: StartupError.self) { try await LoadSamplesCommand.parse([url(catalog)]).run() }
      try await RemoveSamplesCommand.parse([url(catalog)]).run()
      #expect(try await own(catalog) == before)
    }
    try await RunningCatalog.with { catalog in
      try await LoadSamplesCommand.parse([url(catalog)]).run()
      try await loadOwnPushDay(into: catalog)
      let before = try await own(catalog)
      #expect(try await catalog.value("select count(*) from workouts") == "7")
      try await RemoveSamplesCommand.parse([url(catalog)]).run()
      #expect(try await own(catalog) == before && before.count == 2)
      #expect(try await catalog.value("select count(*) from workouts") == "1")
    }
  }

  @Test("[CA-5] the keys of samples are refused in files")
  func reservedKeys() async throws {
    try await RunningCatalog.withExercises { catalog in
      let text = #"[{"id": "samples:x", "name": "X", "entries": [{"exercise": "plank", "sets": 1, "reps": 1}]}]"#
      let bad = try await RunningCatalog.loadCurated(text.utf8, into: catalog.database).bad
      #expect(bad == ["1 ids that begin with samples: are those of samples"])
    }
  }

  @Test(
    "[CA-5] a migration gives the samples' exercises and workouts of before their source, and leaves all others alone")
  func mendedKeys() async throws {
    try await RunningCatalog.withSamples { catalog in
      let workout =
        #"[{"id": "push-day", "name": "Push Day", "entries": [{"exercise": "plank", "sets": 1, "reps": 9}]}]"#
      try await RunningCatalog.loadCurated(workout.utf8, into: catalog.database)
      let exercise = #"[{"id": "plank", "name": "Plank", "instructions": ["As told by the operator."]}]"#
      try await RunningCatalog.load(exercise.utf8, .tandem, into: catalog.database)
      let change = try #require(try await catalog.value("select max(change) from exercises").flatMap { Int($0) })

      let migration = try #require(CatalogSchema.migrations.last { $0.name.hasSuffix("sample_keys") })
      try await catalog.sql("begin; \(migration.sql); commit")

      let keys = try await catalog.sql("select curated_key from workouts order by 1").map { $0[0] ?? "" }
      let samples = ["core-quarter-hour", "full-body-first", "hotel-room", "leg-day", "pull-day"]
      #expect(keys == ["push-day"] + samples.map { "samples:\($0)" })
      let records = try await catalog.sql("select source, count(*)::text from exercise_records group by 1 order by 1")
      #expect(records == [["samples", "33"], ["tandem", "1"]])
      let id = try #require(
        try await catalog.value("select exercise_id from exercise_records where source_id = 'push-up'"))
      let read = try await catalog.exercises.getExercise(GetExerciseRequest(exerciseID: id), TestUser.ada.options)
      #expect(read.sources.map(\.source) == ["samples"] && read.instructionsSource == "samples")
      #expect(
        try await catalog.value("select count(*) from exercises where change > \(change)") == "33",
        "clients' copies are told")
    }
  }

  @Test("[CA-5] a migration removes what samples of before left among goodbooks' records, and nothing else")
  func mendedRecords() async throws {
    try await RunningCatalog.with { catalog in
      // As the samples were loaded before, beside a real record and a real rating.
      try await catalog.sql(
        """
        insert into editions (source, source_id, isbn, titles, authors, year, language) values
          ('goodbooks', '1', 9780441172719, '{Dune}', '{Frank Herbert}', 1965, 'en'),
          ('goodbooks', '2', 9780439554930, '{Harry Potter}', '{J.K. Rowling}', 1997, 'eng');
        insert into reader_ratings (source, reader, source_id, stars) values
          ('goodbooks', 1, '1', 3), ('goodbooks', 1, '2', 5), ('goodbooks', 4000, '1', 3);
        insert into gyms (id, source, source_id, name, street, house_number, postcode, city, country, phone, website,
          latitude, longitude, opening_hours, words)
        select gen_random_uuid(), 'osm-geojson', id, 'Gym', '', '', '', '', '', '', '', 1, 1, '', ''
        from unnest(array['sample/1', 'node/1']) as gym (id)
        """)
      let migration = try #require(CatalogSchema.migrations.last { $0.name.hasSuffix("samples") })
      try await catalog.sql(migration.sql)

      #expect(try await catalog.sql("select source_id from editions") == [["2"]])
      let ratings = try await catalog.sql("select reader::text, source_id, stars::text from reader_ratings order by 1")
      #expect(ratings == [["1", "2", "5"], ["4000", "1", "3"]])
      let gyms = try await catalog.sql("select source, source_id from gyms order by 1")
      #expect(gyms == [["osm-geojson", "node/1"], ["samples", "sample/1"]])
    }
  }
}
