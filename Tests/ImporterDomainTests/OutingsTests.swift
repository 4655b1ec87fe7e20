import Geography
import Identifiers
import ImporterDomain
import Testing

@Suite("the outings that reports belong to")
struct OutingsTests {
  private let start = Instant(microseconds: 1_750_000_000_000_000)

  private func id<Subject>(_ number: Int) -> Identifier<Subject> {
    Identifier(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)))
  }

  private func point(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> TracePoint? {
    GeoPoint(latitude: latitude, longitude: longitude).map { TracePoint(elapsedSeconds: seconds, position: $0) }
  }

  /// Northwards, a point each ten seconds.
  private func walk(
    at start: Instant, from place: (Double, Double), points: ClosedRange<Int>, speed: Double = 1.4, sport: Sport = .walk
  ) -> OutingFacts {
    let trace = points.compactMap { number in
      point(
        Double(number - points.lowerBound) * 10, place.0 + Double(number) * 10 * speed / 111_195, place.1)
    }
    return OutingFacts(
      sport: sport, startedAt: start + .seconds(points.lowerBound * 10),
      durationSeconds: Double(points.count - 1) * 10, distanceMetres: Double(points.count - 1) * 10 * speed,
      trace: trace)
  }

  private func place(_ reports: [OutingFacts]) -> (activities: [ActivityID], comparisons: Int) {
    var outings = Outings([])
    var activities: [ActivityID] = []
    for (number, facts) in reports.enumerated() {
      activities.append(outings.place(facts, as: id(number), new: id(number), on: .assumed()))
    }
    return (activities.map { outings.whole(of: $0) }, outings.comparisons)
  }

  @Test("[IM-8] S-9: 300 tracks of one hour, each elsewhere, are compared with none")
  func elsewhere() {
    let reports = (0..<300).map { walk(at: start, from: (40 + Double($0) * 0.1, 0), points: 0...49) }
    let (activities, comparisons) = place(reports)
    #expect(Set(activities).count == 300 && comparisons == 0)
  }

  @Test("[IM-8] S-9: of 300 reports about one place and hour each is compared with a bounded number of others")
  func oneHour() {
    let reports = (0..<300).map { (number: Int) -> OutingFacts in
      let (shift, speed) = (Duration.seconds(number * 7 % 600), 0.2 + Double(number) / 50)
      return walk(at: start + shift, from: (40, 0), points: 0...49, speed: speed)
    }
    #expect(place(reports).comparisons <= 300 * Outings.candidates * 10)
  }

  @Test("[IM-8] S-9: of 300 reports without positions about one hour each is compared with a bounded number of others")
  func indoors() {
    let reports = (0..<300).map { (number: Int) -> OutingFacts in
      let sport: Sport = number % 2 == 0 ? .strength : .ride
      let metres = Double(1 + number * number)
      return OutingFacts(sport: sport, startedAt: start, durationSeconds: 3_600, distanceMetres: metres)
    }
    #expect(place(reports).comparisons <= 300 * Outings.candidates * 10)
  }

  @Test("[IM-8] I-1: one who stands still at 07:00 and at 18:00:02 was out twice")
  func gym() {
    let gym = { (moment: Instant, seed: Int) in
      OutingFacts(
        sport: .strength, startedAt: moment, durationSeconds: 3_600,
        trace: (0...120).compactMap { number in
          point(Double(number) * 30, 52.5 + Double((number * 7 + seed) % 11) * 2e-5, 13.4)
        })
    }
    #expect(Set(place([gym(start, 0), gym(start + .seconds(11 * 3_600 + 2), 3)]).activities).count == 2)
    #expect(Set(place([gym(start, 0), gym(start + .seconds(40), 3)]).activities).count == 1)
  }

  @Test("[IM-8] I-2: a whole and its two halves are one activity, in whatever order they come")
  func halves() {
    let parts = [
      walk(at: start, from: (50, 8), points: 0...1_000), walk(at: start, from: (50, 8), points: 0...480),
      walk(at: start, from: (50, 8), points: 500...1_000),
    ]
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1]] {
      #expect(Set(place(order.map { parts[$0] }).activities).count == 1, "\(order)")
    }
  }

  @Test("[IM-8] I-2: two halves without a whole are two activities")
  func partsAlone() {
    let parts = [
      walk(at: start, from: (50, 8), points: 0...480), walk(at: start, from: (50, 8), points: 500...1_000),
    ]
    #expect(Set(place(parts).activities).count == 2)
  }

  @Test("[IM-8] what the user has split off is not joined again by a report of the whole")
  func splitOff() {
    let (first, second) = (
      walk(at: start, from: (50, 8), points: 0...480), walk(at: start, from: (50, 8), points: 500...1_000)
    )
    var outings = Outings([
      KnownReport(source: id(1), activity: id(1), facts: first),
      KnownReport(source: id(2), activity: id(2), facts: second, isSplitOff: true),
    ])
    _ = outings.place(walk(at: start, from: (50, 8), points: 0...1_000), as: id(3), new: id(3), on: .assumed())
    #expect(outings.whole(of: id(1)) == id(1) && outings.whole(of: id(2)) == id(2))
  }

  @Test("[IM-8] I-17: clocks 7 and 10 minutes off, ski tours as hikes and walks as rides are the same outing")
  func nearKinds() {
    let tour = walk(at: start, from: (47, 11), points: 0...600)
    for seconds in [420, -420, 590, -590] {
      #expect(SameOuting.likeness(tour, walk(at: start + .seconds(seconds), from: (47, 11), points: 0...600)) > 0)
    }
    for (one, other) in [(Sport.ski, Sport.hike), (.walk, .ride)] {
      let called = { walk(at: start, from: (47, 11), points: 0...600, sport: $0) }
      #expect(SameOuting.likeness(called(one), called(other)) > 0)
    }
    #expect(SameOuting.likeness(tour, walk(at: start, from: (47, 11), points: 0...600, sport: .swim)) == 0)
  }
}
