import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("links to workouts")
struct WorkoutShareTests {
  private func read(_ token: String, _ catalog: RunningCatalog) async throws -> SharedWorkout {
    try await catalog.workouts.getSharedWorkout(GetSharedWorkoutRequest(token: token))
  }

  private func share(_ workout: Workout, _ catalog: RunningCatalog) async throws -> ShareWorkoutResponse {
    try await catalog.workouts.shareWorkout(ShareWorkoutRequest(workoutID: workout.workoutID), TestUser.ada.options)
  }

  @Test("[CA-15] a link reads without login, tells nothing of the owner, and only its hash is stored")
  func reads() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make()
      let shared = try await share(workout, catalog)
      let seen = try await read(shared.token, catalog)
      #expect(seen.name == workout.name && seen.muscleGroups == ["LEGS"])
      #expect(seen.entries.map(\.exerciseName) == workout.entries.map(\.exerciseName))
      #expect(seen.entries.allSatisfy { $0.entryID.isEmpty })
      // 31 item 10.
      #expect(seen.preview?.title == workout.name && seen.preview?.picture == "workout")
      #expect(seen.preview?.text.isEmpty == false)
      let stored = try await catalog.sql("select workout_shares::text from workout_shares")
      #expect(stored.count == 1 && stored[0][0]?.contains(shared.token) == false)
      // It is the workout as it is now.
      _ = try await catalog.workouts.updateWorkout(
        UpdateWorkoutRequest(workout: Workout(workoutID: workout.workoutID, name: "Renamed")), TestUser.ada.options)
      #expect(try await read(shared.token, catalog).name == "Renamed")
    }
  }

  @Test("[CA-15] a revoked link leads nowhere at once, and so does that of a deleted workout; others go on")
  func revokes() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make()
      let (first, second) = (try await share(workout, catalog), try await share(workout, catalog))
      let listed = try await catalog.workouts.listWorkoutShares(
        ListWorkoutSharesRequest(workoutID: workout.workoutID), TestUser.ada.options)
      #expect(Set(listed.shares.map(\.shareID)) == Set([first, second].compactMap(\.share?.shareID)))
      let call = RevokeWorkoutShareRequest(shareID: first.share?.shareID ?? "")
      let foreign = try await refusal { try await catalog.workouts.revokeWorkoutShare(call, TestUser.grace.options) }
      _ = try await catalog.workouts.revokeWorkoutShare(call, TestUser.ada.options)
      let revoked = try await refusal { try await read(first.token, catalog) }
      #expect(foreign.reason == "SHARE_NOT_FOUND" && revoked.code == .notFound && revoked.reason == "SHARE_NOT_FOUND")
      #expect(try await read(second.token, catalog).name == workout.name)
      _ = try await catalog.workouts.deleteWorkout(
        DeleteWorkoutRequest(workoutID: workout.workoutID), TestUser.ada.options)
      #expect(try await refusal { try await read(second.token, catalog) }.reason == "SHARE_NOT_FOUND")
    }
  }

  @Test("[CA-15] whoever has a link saves the workout as one of their own")
  func saves() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make()
      let token = try await share(workout, catalog).token
      let copy = try await catalog.workouts.saveAsPersonal(
        SaveAsPersonalRequest(source: .shareToken(token)), TestUser.grace.options)
      #expect(copy.name == workout.name && copy.entries.map(\.exerciseID) == workout.entries.map(\.exerciseID))
      let wrong = try await refusal {
        try await catalog.workouts.saveAsPersonal(
          SaveAsPersonalRequest(source: .shareToken("nonsense")), TestUser.grace.options)
      }
      #expect(wrong.reason == "SHARE_NOT_FOUND")
      #expect(try await catalog.value("select misses from share_misses") == "1")
    }
  }

  @Test(
    "[CA-15] a client that tries links that lead nowhere is held off after 30 for the rest of 15 minutes, and links that exist work for all"
  )
  func heldOff() async throws {
    try await RunningCatalog.withExercises { catalog in
      let token = try await share(catalog.make(), catalog).token
      for number in 0..<30 {
        let text = number.isMultiple(of: 2) ? "\(number)" : String(repeating: "A", count: 43)
        #expect(try await missReason(of: text, catalog) == "SHARE_NOT_FOUND")
      }
      #expect(try await missReason(of: "31", catalog) == "TOO_MANY_ATTEMPTS")
      // Those that are refused cost no write.
      #expect(try await catalog.value("select misses from share_misses") == "30")
      #expect(try await read(token, catalog).name == "Leg day")
      catalog.clock.advance(by: .seconds(901))
      #expect(try await missReason(of: "31", catalog) == "SHARE_NOT_FOUND")
    }
  }

  @Test("[CA-15] who is held off saves a workout by a link that exists, and by no other")
  func savedWhileHeldOff() async throws {
    try await RunningCatalog.withExercises { catalog in
      let token = try await share(catalog.make(), catalog).token
      for number in 0..<30 { #expect(try await missReason(of: "\(number)", catalog) == "SHARE_NOT_FOUND") }
      let other = SaveAsPersonalRequest(source: .shareToken("31"))
      let refused = try await refusal { try await catalog.workouts.saveAsPersonal(other, TestUser.grace.options) }
      let saved = SaveAsPersonalRequest(source: .shareToken(token))
      let copy = try await catalog.workouts.saveAsPersonal(saved, TestUser.grace.options)
      #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_ATTEMPTS")
      #expect(copy.name == "Leg day")
    }
  }

  /// Why a link that leads nowhere is refused.
  private func missReason(of token: String, _ catalog: RunningCatalog) async throws -> String? {
    try await refusal { try await read(token, catalog) }.reason
  }

  @Test("[CA-15] a workout has at most 20 links, however many are made at once; [C-4] a repetition makes none")
  func limit() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make()
      let call = ShareWorkoutRequest(
        workoutID: workout.workoutID, requestID: "0190f000-0000-7000-8000-00000000000c")
      let (first, second) = (
        try await catalog.workouts.shareWorkout(call, TestUser.ada.options),
        try await catalog.workouts.shareWorkout(call, TestUser.ada.options)
      )
      #expect(first == second)
      let results = await catalog.raceWorkouts(32) { workouts, _ in
        try await workouts.shareWorkout(ShareWorkoutRequest(workoutID: workout.workoutID), TestUser.ada.options)
      }
      #expect(results.successes().count == 19)
      #expect(results.refusals().count == 13 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_SHARES" })
      _ = try await catalog.workouts.revokeWorkoutShare(
        RevokeWorkoutShareRequest(shareID: first.share?.shareID ?? ""), TestUser.ada.options)
      #expect(!(try await share(workout, catalog).token.isEmpty))
    }
  }
}
