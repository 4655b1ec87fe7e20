import Testing

@testable import CatalogDomain

@Suite("what ratings say")
struct ReadingWeightTests {
  @Test("[CA-28] stars are 1 to 5")
  func stars() {
    #expect([0, 1, 5, 6, -1, 1_000_000].map { Stars($0)?.count } == [nil, 1, 5, nil, nil, nil])
  }

  @Test(
    "[CA-28] what is liked more says no less, what was merely borrowed as much as what is liked, what disappointed nothing"
  )
  func weights() {
    let weights = (1...5).map { ReadingWeight.of(Stars($0)) }
    #expect(weights == weights.sorted() && weights == ReadingWeight.ofStars)
    #expect(ReadingWeight.of(nil) == ReadingWeight.of(Stars(4)) && ReadingWeight.of(Stars(1)) == 0)
  }

  @Test("[CA-28] the first that is told of a reader and a book counts, and whose readers are full is told")
  func collected() {
    var collector = ReadingCollector<Int>(maxReaders: 1)
    let told = [(1, 10, Stars(1)), (1, 10, nil), (1, 20, nil), (2, 10, nil)]
    let areLookedAt = told.map { collector.add(reader: $0.0, book: Int64($0.1), stars: $0.2) }
    #expect(areLookedAt == [true, true, true, false])
    #expect(collector.readings.weightsOfReaders == [[ReadingWeight.of(Stars(1)), ReadingWeight.unrated]])
  }
}
