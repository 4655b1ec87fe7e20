import ArgumentParser
import Foundation
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

@Suite("loading exercises")
struct LoadExercisesTests {
  private static let free = """
    [
      {"id": "Pullups", "name": "Pullups", "force": "pull", "level": "beginner", "mechanic": "compound",
       "equipment": "body only", "primaryMuscles": ["lats"], "secondaryMuscles": ["biceps", "middle back"],
       "instructions": ["Grab the bar.", " ", "Pull."], "category": "strength", "images": ["Pullups/0.jpg", "Pullups/1.jpg"]},
      {"id": "Leg_Press", "name": "Leg Press", "level": "beginner", "equipment": "machine",
       "primaryMuscles": ["quadriceps"], "instructions": [], "category": "strength"},
      {"id": "no name", "name": "No usable id"},
      {"id": "Nameless", "name": " "},
      {"id": "Cut", "name":
    """
  private static let wger = """
    [
     {"id": 475, "name": "Pull-ups", "aliases": ["Chins"], "description_html": "<p>Grab it.</p><p>Pull &amp; hold.</p>",
      "category": "Back", "muscles": ["Lats"], "muscles_secondary": [], "equipment": ["Pull-up bar"],
      "license": "CC-BY-SA 4.0", "license_author": "somebody"},
     {"id": 371, "name": "Leg Presses", "aliases": [], "description_html": "<p>Push.</p>", "category": "Legs",
      "muscles": [], "equipment": [], "license": "CC-BY-SA 3.0", "license_author": ""},
     {"id": 475, "name": "The same id", "category": "Legs"},
     {"id": 8, "name": "Plank \\u0000", "category": "Abs"},
     {"id": 9, "name": "Swimming", "category": "Cardio", "muscles": ["No such muscle"], "equipment": ["Pool"]}
    ]
    """

  private func exercises(_ database: TestDatabase) async throws -> [[String?]] {
    try await Administration.session(database.url) {
      try $0.run(
        """
        select name, aliases, level, muscles, muscle_groups, instructions_source, sources, source_ids, licenses, attributions,
          images, image_sources
        from catalog.exercises where merged_into is null order by name
        """)
    }
  }

  @Test("[CA-5] [CA-10] two collections are loaded in either order with the same result, and again without any change")
  func eitherOrder() async throws {
    let files: [(String, ExerciseFormat)] = [(Self.free, .freeExerciseDB), (Self.wger, .wger)]
    let (there, back) = (try await loaded(files), try await loaded(files.reversed()))
    #expect(there == back)
    let pullups: [String?] = [
      "Pullups", "{Pull-ups,Chins}", "BEGINNER", "{LATS}", "{BACK}", "free-exercise-db", "{free-exercise-db,wger}",
      "{Pullups,475}", "{Unlicense,\"CC-BY-SA 4.0\"}", "{free-exercise-db,\"somebody, wger\"}",
      "{Pullups/0.jpg,Pullups/1.jpg}", "{free-exercise-db,free-exercise-db}",
    ]
    let swimming: [String?] = ["Swimming", "{}", "", "{}", "{}", "", "{wger}", "{9}", "{\"\"}", "{wger}", "{}", "{}"]
    #expect(there.map { $0[0] } == ["Leg Press", "Pullups", "Swimming"])
    #expect(there[1] == pullups && there[2] == swimming)
    // Where the first collection has no instructions, the other's are taken.
    #expect(there[0][5] == "wger")
  }

  /// The exercises after files were loaded in this order, and then again.
  private func loaded(_ files: [(String, ExerciseFormat)]) async throws -> [[String?]] {
    let found = Mutex<[[String?]]>([])
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      for (text, format) in files { try await RunningCatalog.load(text.utf8, format, into: database, chunk: 7) }
      let before = try await state(database)
      for (text, format) in files {
        let outcome = try await RunningCatalog.load(text.utf8, format, into: database).outcome
        #expect(outcome.file.added == 0 && outcome.file.changed == 0 && outcome.exercises == 3)
      }
      #expect(try await state(database) == before)
      let all = try await exercises(database)
      found.withLock { $0 = all }
    }
    return found.withLock { $0 }
  }

  /// Ids and changes, which a repetition must leave alone.
  private func state(_ database: TestDatabase) async throws -> [[String?]] {
    try await Administration.session(database.url) {
      try $0.run("select id, change, merged_into from catalog.exercises order by id")
    }
  }

  @Test("[CA-5] bad records are named with line and reason, and the rest is loaded")
  func badRecords() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let free = try await RunningCatalog.load(Self.free.utf8, .freeExerciseDB, into: database)
      #expect(free.bad == ["7 it has no usable id", "8 it has no usable name", "9 it is cut off"])
      #expect(free.outcome.file.records == 5 && free.outcome.file.added == 2 && free.outcome.exercises == 2)
      let wger = try await RunningCatalog.load(Self.wger.utf8, .wger, into: database)
      #expect(
        wger.bad == [
          "7 the id 475 is on line 2 already", "8 it has no usable name",
          "9 its muscle \"No such muscle\" is not known, and is left out",
        ])
      #expect(wger.outcome.file.records == 5 && wger.outcome.file.added == 3 && wger.outcome.file.bad == 2)
    }
  }

  @Test("[CA-10] an exercise that turns out to be another leads to it, and its id goes on meaning it")
  func merger() async throws {
    try await RunningCatalog.with { catalog in
      func load(_ name: String) async throws {
        let text = #"[{"id": 1, "name": "\#(name)", "category": "Back", "equipment": ["Barbell"]}]"#
        try await RunningCatalog.load(text.utf8, .wger, into: catalog.database)
      }
      let free = #"[{"id": "Row", "name": "Bent Over Row", "equipment": "barbell"}]"#
      try await RunningCatalog.load(free.utf8, .freeExerciseDB, into: catalog.database)
      try await load("Something else")
      let all = SearchExercisesRequest()
      let before = try await catalog.exercises.searchExercises(all, TestUser.ada.options).exercises
      #expect(before.map(\.name) == ["Bent Over Row", "Something else"])
      let other = try #require(before.last)

      try await load("Bent over rowing")

      let after = try await catalog.exercises.searchExercises(all, TestUser.ada.options).exercises
      #expect(
        after.map(\.exerciseID) == [before[0].exerciseID]
          && after[0].sources.map(\.source) == ["free-exercise-db", "wger"])
      let followed = try await catalog.exercises.getExercise(
        GetExerciseRequest(exerciseID: other.exerciseID), TestUser.ada.options)
      #expect(followed == after[0])

      try await load("Something else")
      let parted = try await catalog.exercises.searchExercises(all, TestUser.ada.options).exercises
      #expect(
        parted.map(\.name) == ["Bent Over Row", "Something else"] && parted[0].exerciseID == before[0].exerciseID)
    }
  }

  @Test("[CA-5] two loads at once leave what one after the other leaves")
  func race() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      try await withThrowingTaskGroup { group in
        for number in 0..<6 {
          group.addTask {
            let (text, format) =
              number.isMultiple(of: 2) ? (Self.free, ExerciseFormat.freeExerciseDB) : (Self.wger, .wger)
            try await RunningCatalog.load(text.utf8, format, into: database)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await exercises(database).map { $0[0] } == ["Leg Press", "Pullups", "Swimming"])
    }
  }

  @Test("[CA-5] the commands load the samples, and what they loaded is found")
  func commands() async throws {
    try await RunningCatalog.with { catalog in
      let url = "--database-url=\(catalog.database.url(of: "catalog"))"
      let exercises = RunningCatalog.samples.appending(path: "exercises.json").path
      let workouts = RunningCatalog.samples.appending(path: "workouts.json").path
      for _ in 0..<2 {
        try await LoadExercisesCommand.parse([exercises, "--format", "tandem", url]).run()
        try await LoadWorkoutsCommand.parse([workouts, url]).run()
      }
      #expect(try await catalog.value("select count(*) from exercises") == "34")
      #expect(try await catalog.value("select count(*) from workouts where revision = 1") == "6")
      #expect(try await catalog.value("select count(*) from workout_entries") == "28")
      let refused = await #expect(throws: StartupError.self) {
        try await LoadExercisesCommand.parse([exercises.replacing("json", with: "csv"), "--format", "wger", url]).run()
      }
      #expect(refused?.lines.first?.hasSuffix("no such file or directory") == true)
    }
  }
}
