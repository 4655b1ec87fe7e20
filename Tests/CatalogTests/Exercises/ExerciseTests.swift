import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading

@Suite("exercises")
struct ExerciseTests {
  private func search(
    _ call: SearchExercisesRequest, _ catalog: RunningCatalog
  ) async throws -> SearchExercisesResponse {
    try await catalog.exercises.searchExercises(call, TestUser.ada.options)
  }

  @Test(
    "[CA-10] an exact name comes first, in any spelling, also where letters are exchanged",
    arguments: [
      ("Plank", "Plank"), ("plnak", "Plank"), ("Pushups", "Pushups"), ("push-ups", "Pushups"), ("Sit-Up", "Sit-Up"),
      ("situps", "Sit-Up"), ("crul", "Curl"),
    ])
  func exactNames(query: String, name: String) async throws {
    try await RunningCatalog.with { catalog in
      let names = [
        "Plank", "Side Plank", "Planks Planking", "Pushups", "Pushups Close", "Bench Pushups", "Sit-Up",
        "Jackknife Sit-Up",
        "Weighted Sit-Up", "Curl", "Leg Curl", "Curling",
      ]
      let records = names.enumerated().map {
        "{\"id\": \"\($0.offset)\", \"name\": \"\($0.element)\", \"aliases\": [\"Alias of it\"]}"
      }
      try await RunningCatalog.load("[\(records.joined(separator: ","))]".utf8, .tandem, into: catalog.database)
      let found = try await catalog.exercises.searchExercises(
        SearchExercisesRequest(name: query), TestUser.ada.options)
      #expect(found.exercises.first?.name == name, "\(found.exercises.map(\.name))")
    }
  }

  @Test(
    "[CA-10] D-10: after an exact name comes the one that has a tool besides, before those with other words",
    arguments: [
      ("bicep curl", "Dumbbell Bicep Curl"), ("biceps curls", "Dumbbell Bicep Curl"), ("squat", "Squat"),
      ("good mornings", "Barbell Good Morning"),
    ])
  func plainNames(query: String, name: String) async throws {
    try await RunningCatalog.with { catalog in
      let names = [
        "Dumbbell wide bicep curls", "Dumbbell Bicep Curl", "Bicep curl to press", "Barbell Squat", "Squat",
        "Jump Squats",
        "Good Mornings off Pins", "Barbell Good Morning",
      ]
      let records = names.enumerated().map { "{\"id\": \"\($0.offset)\", \"name\": \"\($0.element)\"}" }
      try await RunningCatalog.load(
        "[\(records.joined(separator: ","))]".utf8, .freeExerciseDB, into: catalog.database)
      #expect(try await search(SearchExercisesRequest(name: query), catalog).exercises.first?.name == name)
    }
  }

  @Test(
    "[CA-10] D-5: one misspelt record does not stand in the way of those that were meant, nor do these of one that is called so"
  )
  func misspeltRecord() async throws {
    try await RunningCatalog.with { catalog in
      let names = [
        "Dumbell Row to Press", "Dumbbell Row", "Dumbbell Curl", "Dumbbell Press", "Dumbbell Squat", "Dumbbell Fly",
        "Dumbbell Shrug",
        "Thruser", "Thruster",
      ]
      let records = names.enumerated().map { "{\"id\": \"\($0.offset)\", \"name\": \"\($0.element)\"}" }
      try await RunningCatalog.load(
        "[\(records.joined(separator: ","))]".utf8, .freeExerciseDB, into: catalog.database)
      let meant = try await search(SearchExercisesRequest(name: "dumbell"), catalog)
      #expect(meant.exercises.count >= 6 && meant.match == .similar)
      let named = try await search(SearchExercisesRequest(name: "thruser"), catalog)
      #expect(named.exercises.map(\.name) == ["Thruser"] && named.match == .exact)
    }
  }

  @Test("[CA-10] an exercise has muscles, equipment, instructions, and sources with their licences")
  func detail() async throws {
    try await RunningCatalog.withExercises { catalog in
      let id = try await catalog.exercise("push-up")
      let read = try await catalog.exercises.getExercise(GetExerciseRequest(exerciseID: id), TestUser.ada.options)
      #expect(read.name == "Pushups" && read.aliases == ["Press-up"] && read.level == "BEGINNER")
      #expect(read.category == "STRENGTH" && read.equipment == ["BODY_ONLY"] && read.muscleGroups == ["CHEST"])
      #expect(read.muscles == ["CHEST"] && read.secondaryMuscles == ["TRICEPS", "SHOULDERS", "ABDOMINALS"])
      #expect(read.instructions.count == 3 && read.instructionsSource == "tandem")
      #expect(
        read.sources == [
          ExerciseSource(source: "tandem", sourceID: "push-up", license: "Apache-2.0", attribution: "Tandem")
        ])
      let unknown = try await refusal {
        try await catalog.exercises.getExercise(
          GetExerciseRequest(exerciseID: TestUser.ada.id.description), TestUser.ada.options)
      }
      let bad = try await refusal {
        try await catalog.exercises.getExercise(GetExerciseRequest(exerciseID: "x"), TestUser.ada.options)
      }
      #expect(unknown.reason == "EXERCISE_NOT_FOUND" && bad.reason == "EXERCISE_ID_INVALID")
    }
  }

  @Test("[CA-10] images are answered as references, with the licence and whom to name")
  func images() async throws {
    try await RunningCatalog.with { catalog in
      let text = #"[{"id": "A", "name": "A thing", "images": ["A/0.jpg", "with space", ""]}]"#
      try await RunningCatalog.load(text.utf8, .freeExerciseDB, into: catalog.database)
      let found = try await search(SearchExercisesRequest(), catalog).exercises
      #expect(
        found.first?.images == [
          ExerciseImage(
            reference: "A/0.jpg", source: "free-exercise-db", license: "Unlicense", attribution: "free-exercise-db")
        ])
    }
  }

  @Test("[CA-10] exercises are found by any mix of muscle, equipment, level, category and name")
  func filters() async throws {
    try await RunningCatalog.withExercises { (catalog) async throws in
      func names(_ call: SearchExercisesRequest) async throws -> [String] {
        try await search(call, catalog).exercises.map(\.name)
      }
      #expect(try await names(.init(muscles: ["GLUTES"])) == ["Barbell Hip Thrust"])
      #expect(
        try await names(.init(muscles: ["ARMS"], equipment: ["BARBELL", "CABLE"])) == [
          "Barbell Curl", "Triceps Pushdown",
        ])
      #expect(try await names(.init(levels: ["EXPERT"])) == ["Hanging Leg Raise"])
      #expect(
        try await names(.init(categories: ["STRETCHING", "CARDIO"])) == [
          "Child's Pose", "Hamstring Stretch", "Rope Jumping",
        ])
      #expect(
        try await names(.init(name: "squat", muscles: ["LEGS"], equipment: ["DUMBBELL"], levels: ["BEGINNER"]))
          == ["Dumbbell Goblet Squat"])
      #expect(try await names(.init(muscles: ["NECK"], levels: ["EXPERT"])) == [])
    }
  }

  @Test(
    "[CA-10] a name is found by its words, their beginnings, other names and plurals; misspelt in a second step that says so"
  )
  func names() async throws {
    try await RunningCatalog.withExercises { catalog in
      let press = try await search(SearchExercisesRequest(name: "press barb"), catalog)
      #expect(press.exercises.map(\.name) == ["Barbell Bench Press"] && press.match == .exact)
      for name in ["pull-ups", "PULLUP", "pull ups"] {
        let found = try await search(SearchExercisesRequest(name: name), catalog)
        #expect(found.exercises.map(\.name) == ["Pullups"] && found.match == .exact, "\(name)")
      }
      #expect(
        try await search(SearchExercisesRequest(name: "skipping"), catalog).exercises.map(\.name) == ["Rope Jumping"])
      let misspelt = try await search(SearchExercisesRequest(name: "rumanian dedlift"), catalog)
      #expect(misspelt.exercises.map(\.name) == ["Romanian Deadlift"] && misspelt.match == .similar)
      let filtered = try await search(SearchExercisesRequest(name: "dedlift", muscles: ["LOWER_BACK"]), catalog)
      #expect(filtered.exercises.map(\.name) == ["Barbell Deadlift"])
    }
  }

  @Test("[C-7] nothing found is no error, and says so")
  func nothing() async throws {
    try await RunningCatalog.withExercises { catalog in
      let nothing = try await search(SearchExercisesRequest(name: "xylophone"), catalog)
      #expect(nothing.exercises.isEmpty && nothing.notice == "No match exercise" && nothing.match == .unspecified)
    }
  }

  @Test("[C-2] everything that no list has is named at once")
  func badFilters() async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal {
        try await search(
          SearchExercisesRequest(
            name: "!", muscles: ["GILLS"], equipment: ["barbell"], levels: ["GOD"], categories: ["x"], pageSize: -1,
            pageToken: "x"), catalog)
      }
      #expect(
        status.fieldReasons == [
          "QUERY_REQUIRED", "MUSCLE_UNKNOWN", "EQUIPMENT_UNKNOWN", "LEVEL_UNKNOWN", "CATEGORY_UNKNOWN",
          "PAGE_SIZE_INVALID", "PAGE_TOKEN_INVALID",
        ])
      let many = try await refusal {
        try await search(SearchExercisesRequest(muscles: [String](repeating: "CHEST", count: 10_000)), catalog)
      }
      #expect(many.reason == "MUSCLE_UNKNOWN")
    }
  }

  @Test("[C-5] the pages of all exercises, and of those of a name, skip none and repeat none")
  func pages() async throws {
    try await RunningCatalog.withExercises { catalog in
      for (name, count) in [("", 34), ("barbell", 6), ("dumbel", 5)] {
        var (seen, token) = ([String](), "")
        repeat {
          let page = try await search(SearchExercisesRequest(name: name, pageSize: 3, pageToken: token), catalog)
          seen += page.exercises.map(\.name)
          token = page.nextPageToken
        } while !token.isEmpty && seen.count < 100
        #expect(seen.count == count && Set(seen).count == count, "\(name) \(seen)")
        if name.isEmpty { #expect(seen == seen.sorted { $0.lowercased() < $1.lowercased() }) }
      }
    }
  }

  @Test("[CA-10] the options are there for anybody, with what belongs to each part of the body")
  func options() async throws {
    try await RunningCatalog.with { catalog in
      let options = try await catalog.exercises.listExerciseOptions(ListExerciseOptionsRequest())
      #expect(options.muscleGroups.map(\.id) == ["CHEST", "BACK", "SHOULDERS", "ARMS", "CORE", "LEGS", "NECK"])
      let back = options.muscleGroups.first { $0.id == "BACK" }
      #expect(
        back?.label == "Back" && back?.muscles.contains(ExerciseOption(id: "LOWER_BACK", label: "Lower back")) == true)
      #expect(options.levels.map(\.label) == ["Beginner", "Intermediate", "Expert"])
      #expect(options.equipment.count == 14 && options.categories.count == 7)
      let token = try await refusal { try await catalog.exercises.searchExercises(SearchExercisesRequest()) }
      #expect(token.reason == "TOKEN_MISSING")
    }
  }

  @Test("[C-11] who keeps exercises learns of each that was added, changed or turned out to be another")
  func changes() async throws {
    try await RunningCatalog.with { catalog in
      func changes(since: String = "") async throws -> ListExerciseChangesResponse {
        try await catalog.exercises.listExerciseChanges(
          ListExerciseChangesRequest(since: since, pageSize: 2), TestUser.ada.options)
      }
      func load(_ text: String, _ format: ExerciseFormat) async throws {
        try await RunningCatalog.load(text.utf8, format, into: catalog.database)
      }
      let empty = try await changes()
      #expect(empty.changes.isEmpty && !empty.nextSince.isEmpty && !empty.more)
      try await load(
        #"[{"id": "A", "name": "Plank"}, {"id": "B", "name": "Crunch"}, {"id": "C", "name": "Row"}]"#, .freeExerciseDB)
      try await load(#"[{"id": 1, "name": "Bank"}]"#, .wger)
      var (known, since, more) = ([String: String](), empty.nextSince, true)
      while more {
        let page = try await changes(since: since)
        for change in page.changes { known[change.exerciseID] = change.exercise?.name }
        (since, more) = (page.nextSince, page.more)
      }
      #expect(known.values.sorted() == ["Bank", "Crunch", "Plank", "Row"])

      try await load(#"[{"id": 1, "name": "Planks"}]"#, .wger)
      let last = try await changes(since: since)
      let merged = try #require(last.changes.first { $0.exercise == nil })
      #expect(last.changes.count == 2 && !last.more && known[merged.exerciseID] == "Bank")
      #expect(known[merged.mergedInto] == "Plank")
      #expect(try await changes(since: last.nextSince).changes.isEmpty)
      let foreign = try await refusal { try await changes(since: "AAAAAAAAA_8") }
      #expect(foreign.reason == "CHANGE_TOKEN_INVALID")
    }
  }
}
