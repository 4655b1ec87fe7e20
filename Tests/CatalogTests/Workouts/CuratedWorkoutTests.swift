import Foundation
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading

extension RunningCatalog {
  /// Runs `body` with a service that knows the sample exercises and workouts.
  static func withSamples(_ body: @escaping @Sendable (RunningCatalog) async throws -> Void) async throws {
    try await withExercises { catalog in
      let workouts = try Data(contentsOf: samples.appending(path: "workouts.json"))
      let outcome = try await loadCurated(workouts, into: catalog.database)
      #expect(outcome.bad == [] && outcome.outcome.added == 6)
      try await body(catalog)
    }
  }

  /// The curated workout of that name.
  func curated(_ name: String) async throws -> Workout {
    let all = try await workouts.listCuratedWorkouts(ListCuratedWorkoutsRequest(), TestUser.ada.options)
    return try #require(all.workouts.first { $0.name == name })
  }
}

@Suite("curated workouts")
struct CuratedWorkoutTests {
  @Test("[CA-11] curated workouts are listed by name, narrowed by level, and shown in detail")
  func lists() async throws {
    try await RunningCatalog.withSamples { catalog in
      func names(_ call: ListCuratedWorkoutsRequest) async throws -> [String] {
        try await catalog.workouts.listCuratedWorkouts(call, TestUser.ada.options).workouts.map(\.name)
      }
      let all = ["Core in a Quarter of an Hour", "First Full Body", "Hotel Room", "Leg Day", "Pull Day", "Push Day"]
      #expect(try await names(.init()) == all)
      #expect(try await names(.init(level: "INTERMEDIATE")) == ["Leg Day", "Pull Day", "Push Day"])
      let first = try await catalog.workouts.listCuratedWorkouts(.init(pageSize: 4), TestUser.ada.options)
      let rest = try await names(.init(pageSize: 4, pageToken: first.nextPageToken))
      #expect(first.workouts.map(\.name) + rest == all)
      let listed = try #require(first.workouts.first { $0.name == "Leg Day" })
      let read = try await catalog.workouts.getWorkout(
        GetWorkoutRequest(workoutID: listed.workoutID), TestUser.grace.options)
      #expect(read == listed && read.curated && read.muscleGroups == ["LEGS"] && read.level == "INTERMEDIATE")
      #expect(read.entries.map(\.exerciseName).first == "Barbell Squat" && read.entries.first?.restS == 180)
      let level = try await refusal { try await names(.init(level: "HARD")) }
      #expect(level.reason == "LEVEL_UNKNOWN")
    }
  }

  @Test("[CA-11] a saved copy is one's own: later edits of either leave the other alone")
  func copies() async throws {
    try await RunningCatalog.withSamples { catalog in
      let original = try await catalog.curated("Leg Day")
      let copy = try await catalog.workouts.saveAsPersonal(
        SaveAsPersonalRequest(source: .workoutID(original.workoutID), name: "My legs"), TestUser.ada.options)
      #expect(copy.name == "My legs" && !copy.curated && copy.level.isEmpty && copy.workoutID != original.workoutID)
      #expect(copy.entries.map(\.exerciseID) == original.entries.map(\.exerciseID))
      #expect(Set(copy.entries.map(\.entryID)).isDisjoint(with: original.entries.map(\.entryID)))

      _ = try await catalog.workouts.removeWorkoutEntry(
        RemoveWorkoutEntryRequest(workoutID: copy.workoutID, entryID: copy.entries[0].entryID), TestUser.ada.options)
      #expect(try await catalog.curated("Leg Day") == original)
      let text =
        #"[{"id": "leg-day", "name": "Leg Day", "entries": [{"exercise": "tandem:plank", "sets": 1, "reps": 1}]}]"#
      let outcome = try await RunningCatalog.loadCurated(text.utf8, into: catalog.database).outcome
      #expect(outcome.changed == 1)
      let changed = try await catalog.curated("Leg Day")
      #expect(changed.workoutID == original.workoutID && changed.entries.count == 1 && changed.etag != original.etag)
      let kept = try await catalog.workouts.getWorkout(
        GetWorkoutRequest(workoutID: copy.workoutID), TestUser.ada.options)
      #expect(kept.entries == Array(copy.entries.dropFirst()))
    }
  }

  @Test("[CA-11] nobody changes a curated workout, and nobody copies another's")
  func refusals() async throws {
    try await RunningCatalog.withSamples { catalog in
      let original = try await catalog.curated("Leg Day")
      let change = try await refusal {
        try await catalog.workouts.updateWorkout(
          UpdateWorkoutRequest(workout: Workout(workoutID: original.workoutID, name: "Mine")), TestUser.ada.options)
      }
      let delete = try await refusal {
        try await catalog.workouts.deleteWorkout(
          DeleteWorkoutRequest(workoutID: original.workoutID), TestUser.ada.options)
      }
      #expect(change.code == .permissionDenied && change.reason == "CURATED_WORKOUT" && delete.reason == change.reason)
      let hers = try await catalog.make(as: .grace)
      let copy = try await refusal {
        try await catalog.workouts.saveAsPersonal(
          SaveAsPersonalRequest(source: .workoutID(hers.workoutID)), TestUser.ada.options)
      }
      let nothing = try await refusal {
        try await catalog.workouts.saveAsPersonal(SaveAsPersonalRequest(), TestUser.ada.options)
      }
      #expect(copy.reason == "WORKOUT_NOT_FOUND" && nothing.reason == "SOURCE_REQUIRED")
    }
  }

  @Test("[CA-11] bad curated workouts are named with line and reason, and a second load changes nothing")
  func badRecords() async throws {
    try await RunningCatalog.withExercises { catalog in
      func entry(_ exercise: String, _ more: String = "\"sets\": 3, \"reps\": 10") -> String {
        "[{\"exercise\": \"\(exercise)\", \(more)}]"
      }
      let text = """
        [
        {"id": "good", "name": "Good", "muscle_groups": ["core", "legs"], "entries": \(entry("tandem:plank"))},
        {"id": "a", "name": "Unknown exercise", "entries": \(entry("wger:1"))},
        {"id": "b", "name": "No effort", "entries": \(entry("tandem:plank", "\"sets\": 3"))},
        {"id": "c", "name": "Nothing", "entries": []},
        {"id": "good", "name": "Again", "entries": \(entry("tandem:plank"))},
        {"id": "d", "entries": \(entry("tandem:plank"))},
        {"id": "e", "name": "Groups", "muscle_groups": ["tail"], "entries": \(entry("tandem:plank"))}
        ]
        """
      let (outcome, bad) = try await RunningCatalog.loadCurated(text.utf8, into: catalog.database)
      #expect(
        bad == [
          "3 its exercise wger:1 was not loaded", "4 its entry 1 is not usable",
          "5 it has 0 entries instead of 1 to 50",
          "6 the id good is on line 2 already", "7 it has no usable name",
          "8 it names a muscle group that there is not",
        ])
      #expect(outcome.added == 1 && outcome.bad == 6)
      let made = try await catalog.curated("Good")
      #expect(made.muscleGroups == ["CORE", "LEGS"])
      let again = try await RunningCatalog.loadCurated(text.utf8, into: catalog.database).outcome
      #expect(again.added == 0 && again.changed == 0 && again.unchanged == 1)
      #expect(try await catalog.curated("Good") == made)
    }
  }

  /// What is searched for, and the names of what is found.
  struct Search {
    var query = ""
    var groups: [String] = []
    var names: Set<String>
  }

  @Test(
    "[CA-13] all workouts that one may see are found by muscle group and by name",
    arguments: [
      Search(query: "chest", names: ["Tuesday", "First Full Body", "Push Day", "Hotel Room"]),
      Search(groups: ["CHEST"], names: ["Tuesday", "First Full Body", "Push Day", "Hotel Room"]),
      Search(query: "day legs", names: ["Leg Day"]),
      Search(query: "day", groups: ["LEGS", "BACK"], names: ["Leg Day", "Pull Day"]),
      Search(query: "bench press", groups: ["ARMS"], names: ["Push Day"]),
    ])
  func search(search: Search) async throws {
    try await withOwnWorkouts { catalog in
      let found = try await self.search(search.query, search.groups, catalog).workouts
      #expect(Set(found.map(\.name)) == search.names)
    }
  }

  @Test("[CA-13] a workout of the very name comes first")
  func exactNameFirst() async throws {
    try await withOwnWorkouts { catalog in
      let found = try await search("leg day", [], catalog).workouts
      #expect(found.first?.name == "Leg Day")
    }
  }

  @Test("[CA-13] what is misspelt finds what is similar, and says so")
  func misspelt() async throws {
    try await withOwnWorkouts { catalog in
      let room = try await search("hotle room", [], catalog)
      #expect(room.workouts.map(\.name) == ["Hotel Room"] && room.match == .similar)
      let shoulders = try await search("sholders", [], catalog)
      #expect(shoulders.match == .similar)
    }
  }

  @Test("[CA-13] [C-7] nothing found is no error")
  func nothingFound() async throws {
    try await withOwnWorkouts { catalog in
      let nothing = try await search("xylophone", [], catalog)
      #expect(nothing.workouts.isEmpty && nothing.notice == "No match workout" && nothing.match == .unspecified)
    }
  }

  @Test("[CA-13] [C-2] a search for nothing, or for an unknown muscle group, is refused")
  func badSearches() async throws {
    try await withOwnWorkouts { catalog in
      let empty = try await refusal { try await search("", [], catalog) }
      let unknown = try await refusal { try await search("", ["TAIL"], catalog) }
      #expect(empty.reason == "QUERY_REQUIRED" && empty.fields == ["query"])
      #expect(unknown.reason == "MUSCLE_GROUP_UNKNOWN")
    }
  }

  private func search(
    _ query: String, _ groups: [String], _ catalog: RunningCatalog
  ) async throws -> SearchWorkoutsResponse {
    try await catalog.workouts.searchWorkouts(
      SearchWorkoutsRequest(query: query, muscleGroups: groups), TestUser.ada.options)
  }

  /// The samples, with a workout of Ada, who searches, and one of Grace, which Ada does not see.
  private func withOwnWorkouts(_ body: @escaping @Sendable (RunningCatalog) async throws -> Void) async throws {
    try await RunningCatalog.withSamples { catalog in
      try await catalog.make("Tuesday", of: ["bench-press"])
      try await catalog.make("Grace's chest", of: ["bench-press"], as: .grace)
      try await body(catalog)
    }
  }

  @Test("[C-5] the pages of a search skip none and repeat none")
  func searchPages() async throws {
    try await RunningCatalog.withSamples { catalog in
      for number in 0..<7 { try await catalog.make("Core \(number)", of: ["plank"]) }
      for call in [SearchWorkoutsRequest(query: "core"), .init(muscleGroups: ["CORE"]), .init(query: "coer")] {
        var (seen, paged) = ([String](), call)
        paged.pageSize = 3
        repeat {
          let page = try await catalog.workouts.searchWorkouts(paged, TestUser.ada.options)
          seen += page.workouts.map(\.name)
          paged.pageToken = page.nextPageToken
        } while !paged.pageToken.isEmpty && seen.count < 40
        #expect(Set(seen).count == seen.count && seen.filter { $0.hasPrefix("Core ") }.count >= 7, "\(seen)")
      }
    }
  }
}
