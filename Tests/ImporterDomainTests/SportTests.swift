import ImporterDomain
import Testing

@Suite("sports")
struct SportTests {
  @Test(
    "[IM-7] the words of providers and formats name one sport",
    arguments: [
      ("TrailRun", Sport.run), ("VirtualRide", .ride), ("HKWorkoutActivityTypeHiking", .hike), ("cycling", .ride),
      ("HKWorkoutActivityTypeTraditionalStrengthTraining", .strength), ("Biking", .ride), ("Kitesurf", .other),
    ])
  func words(word: String, sport: Sport) {
    #expect(Sport(named: word) == sport)
  }
}
