import CatalogDomain
import SeededNumbers
import Testing

@Suite("the same exercise")
struct ExerciseMatchingTests {
  /// Whether a record of free-exercise-db and one of wger are about the same exercise.
  private func areSame(_ first: ExerciseRecord, _ second: ExerciseRecord) -> Bool {
    ExerciseMatching.groups(of: [first, second]).count == 1
  }

  private func free(_ name: String, _ equipment: Equipment?, _ muscles: Muscle...) -> ExerciseRecord {
    ExerciseRecord(.freeExerciseDB, name, name: name, muscles: muscles, equipment: equipment.map { [$0] } ?? [])
  }

  private func wger(
    _ name: String, _ equipment: Equipment..., aliases: [String] = [], groups: [MuscleGroup] = []
  ) -> ExerciseRecord {
    ExerciseRecord(.wger, name, name: name, aliases: aliases, muscleGroups: groups, equipment: equipment)
  }

  @Test("[CA-10] spelling, plural, order and abbreviation make no other exercise")
  func spellings() {
    #expect(areSame(free("Pullups", .bodyOnly), wger("Pull-ups", .pullUpBar)))
    #expect(areSame(free("Barbell Shrug", .barbell), wger("Shrugs, Barbells", .barbell)))
    #expect(areSame(free("EZ-Bar Curl", .curlBar), wger("Biceps Curls With SZ-bar", .curlBar)))
    #expect(areSame(free("Smith Machine Squat", .machine), wger("Squats on Multipress")))
    #expect(areSame(free("Romanian Deadlift", .barbell), wger("RDL", .barbell)))
  }

  @Test("[CA-10] the tool is told from the name or from the record, and furniture is none")
  func tools() {
    #expect(areSame(free("Front Barbell Squat", .barbell), wger("Front Squats", .barbell)))
    #expect(areSame(free("Dumbbell Flyes", .dumbbell), wger("Fly With Dumbbells", .dumbbell, .bench)))
    #expect(areSame(free("Standing Biceps Cable Curl", .cable), wger("Biceps Curl With Cable")))
    #expect(!areSame(free("Barbell Bench Press", .barbell), wger("Benchpress Dumbbells", .dumbbell)))
    #expect(!areSame(free("Goblet Squats With a Heel Lift", .kettlebell), wger("Goblet Squat", .dumbbell)))
  }

  @Test("[CA-10] who does not say the tool means the usual one, but not one that the other's name needs")
  func unsaid() {
    #expect(areSame(free("Leg Extensions", .machine), wger("Leg Extension")))
    #expect(areSame(free("Elliptical Trainer", .machine), wger("Elliptical", .bodyOnly)))
    #expect(!areSame(free("Dip Machine", .machine), wger("Dips")))
    #expect(!areSame(free("Ball Leg Curl", .exerciseBall), wger("Leg Curl")))
    #expect(
      !areSame(free("Standing Press", .machine, .chest), wger("Press", groups: [.legs])), "the muscles contradict")
  }

  @Test(
    "[CA-10] what two collections call the same appears once, whatever equipment and muscles they name",
    arguments: [
      (
        "Mountain Climbers", "Mountain climbers", Equipment?.none, Muscle.quadriceps, Equipment?.some(.bodyOnly),
        MuscleGroup.chest
      ),
      ("Push Press", "Push Press", .barbell, .shoulders, nil, .back),
      ("Flutter Kicks", "Flutter Kicks", .bodyOnly, .glutes, nil, .core),
      ("Muscle Up", "Muscle up", .other, .lats, .pullUpBar, .arms),
      ("Box Squat", "Box squat", .barbell, .quadriceps, .bodyOnly, .core),
      ("Good Morning", "Good Mornings", .barbell, .hamstrings, .bodyOnly, .legs),
    ])
  func sameName(
    one: String, other: String, equipment: Equipment?, muscle: Muscle, others: Equipment?, group: MuscleGroup
  ) {
    let second = ExerciseRecord(
      .wger, other, name: other, muscleGroups: [group], equipment: others.map { [$0] } ?? [])
    #expect(areSame(free(one, equipment, muscle), second))
  }

  @Test(
    "[CA-10] D-10: a name in one word or in two, without a tool or of the body, or with the tool in another name is one"
  )
  func twice() {
    #expect(areSame(free("Face Pull", .cable, .shoulders), wger("Facepull", groups: [.back])))
    func count(_ records: ExerciseRecord...) -> Int { ExerciseMatching.groups(of: records).count }
    #expect(count(wger("Jumping Jacks"), wger("Jumping Jack HD", .bodyOnly)) == 1)
    #expect(count(wger("Squats"), wger("Squat", .bodyOnly), wger("Squats", .barbell)) == 3, "either may be meant")
    #expect(
      count(
        wger("Walking Lunges", .band, aliases: ["Walking Dumbbell Lunges"]), wger("Dumbbell Lunges Walking", .dumbbell))
        == 1)
    #expect(
      count(wger("Walking Lunges", .band, aliases: ["Forward Lunges"]), wger("Forward Lunge", .dumbbell)) == 2,
      "the other name has no tool")
    #expect(
      count(wger("Side Rows", .band, aliases: ["Cable Raise"]), wger("Cable Raise", .cable)) == 2,
      "the other name is of another exercise")
  }

  @Test(
    "[CA-10] D-10: two tools make another exercise than one, and a seated one is another than one that does not say so")
  func wronglyOne() {
    let records = [wger("Reverse Curl", .barbell, .dumbbell), wger("Reverse EZ Bar Cable Curls", .curlBar)]
    #expect(ExerciseMatching.groups(of: records).count == 2)
    #expect(
      !areSame(free("Seated Bent-Over Rear Delt Raise", .dumbbell, .shoulders), wger("Rear Delt Raise", .dumbbell)))
    #expect(
      areSame(free("Seated Bent-Over Rear Delt Raise", .dumbbell, .shoulders), wger("Seated rear delt rise", .dumbbell))
    )
  }

  @Test("[CA-10] to touch one's toes lying is another exercise than standing")
  func toes() {
    #expect(!areSame(free("Toe Touchers", .bodyOnly, .abdominals), wger("Toe Touch", .bodyOnly, groups: [.legs])))
  }

  @Test("[CA-10] words that make a difference make another exercise")
  func differences() {
    #expect(!areSame(free("Incline Dumbbell Press", .dumbbell), wger("Decline Dumbbell Press", .dumbbell)))
    #expect(!areSame(free("Standing Leg Curl", .machine), wger("Leg Curls (laying)")))
    #expect(!areSame(free("Reverse Crunch", .bodyOnly), wger("Crunches", .bodyOnly)))
    #expect(!areSame(free("One-Arm Kettlebell Swings", .kettlebell), wger("Kettlebell Swings", .kettlebell)))
  }

  @Test("[CA-10] another name is as good as the first")
  func aliases() {
    #expect(areSame(free("Inverted Row", nil), wger("Australian pull-ups", .bodyOnly, aliases: ["Inverted rows"])))
  }

  @Test("[CA-10] within a collection only what is called the same is the same")
  func oneCollection() {
    let records = [
      wger("Plank", .bodyOnly), ExerciseRecord(.wger, "2", name: "Planks", equipment: [.bodyOnly]),
      ExerciseRecord(.wger, "3", name: "Front Plank", equipment: [.bodyOnly]),
    ]
    #expect(ExerciseMatching.groups(of: records).map(\.count).sorted() == [1, 2])
    // An exercise of an earlier collection draws all of them together.
    #expect(ExerciseMatching.groups(of: records + [free("Plank", .bodyOnly)]).count == 1)
  }

  @Test("[CA-10] the order of the records makes no difference", arguments: 1...20)
  func order(seed: UInt64) {
    let records = [
      free("Plank", .bodyOnly), free("Leg Press", .machine), free("Barbell Squat", .barbell),
      free("Crunches", .bodyOnly),
      free("Dumbbell Squat", .dumbbell), wger("Planks", .bodyOnly), wger("Leg Press"), wger("Squats", .barbell),
      wger("Barbell squat", .barbell), wger("Squats", .dumbbell), wger("Squat"), wger("Nothing like it"),
      ExerciseRecord(.tandem, "s", name: "Barbell Squat", equipment: [.barbell]),
      ExerciseRecord(.tandem, "p", name: "Plank", equipment: [.bodyOnly]),
    ]
    var generator = SplitMix(seed: seed)
    let shuffled = records.shuffled(using: &generator)
    func sets(_ records: [ExerciseRecord]) -> Set<Set<String>> {
      Set(
        ExerciseMatching.groups(of: records).map { group in
          Set(group.map { "\(records[$0].collection) \(records[$0].sourceID) \(records[$0].equipment)" })
        })
    }
    #expect(sets(shuffled) == sets(records))
    #expect(sets(records).count == 7)
  }

  @Test("[CA-10] an exercise is what its first collection says, completed by the others")
  func merging() {
    let first = ExerciseRecord(
      .freeExerciseDB, "Pullups", name: "Pullups", level: .beginner, muscles: [.lats], images: ["a.jpg"],
      license: "Unlicense")
    let second = ExerciseRecord(
      .wger, "7", name: "Pull-ups", aliases: ["PULLUPS", "Chins"], category: .strength, level: .expert,
      muscles: [.biceps], secondaryMuscles: [.traps], muscleGroups: [.arms], equipment: [.pullUpBar],
      instructions: ["Hang.", "Pull."], images: ["https://example.org/b.jpg"])
    let merged = MergedExercise([second, first])
    #expect(merged.name == "Pullups" && merged.aliases == ["Pull-ups", "Chins"])
    #expect(merged.level == .beginner && merged.category == .strength && merged.muscles == [.lats])
    #expect(
      merged.secondaryMuscles == [.traps] && merged.muscleGroups == [.back] && merged.targets == ["LATS", "BACK"])
    #expect(merged.instructions == ["Hang.", "Pull."] && merged.instructionsCollection == .wger)
    #expect(merged.images.map(\.collection) == [.freeExerciseDB, .wger])
    #expect(merged == MergedExercise([first, second]))
  }
}
