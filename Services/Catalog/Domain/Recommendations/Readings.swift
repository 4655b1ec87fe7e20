/// Which user read which books, by indices: readers from 0, and books by their positions in ``books``.
public struct Readings: Sendable {
  /// The caller's numbers of the books, in ascending order.
  public let books: [Int64]
  /// The books of each reader, in ascending order, each once.
  public let booksOfReaders: [[Int32]]
  /// The weight of each of these readings, in the same order; see ``ReadingWeight``.
  public let weightsOfReaders: [[Float]]
  /// The readers of each book, in ascending order.
  public let readersOfBooks: [[Int32]]

  /// - Parameters:
  ///   - booksOfReaders: indices into `books`, in ascending order and each once for a reader.
  ///   - weightsOfReaders: one weight for each reading; `nil` if nothing was rated.
  public init(books: [Int64], booksOfReaders: [[Int32]], weightsOfReaders: [[Float]]? = nil) {
    self.books = books
    self.booksOfReaders = booksOfReaders
    self.weightsOfReaders =
      weightsOfReaders ?? booksOfReaders.map { [Float](repeating: ReadingWeight.unrated, count: $0.count) }
    var readers = [[Int32]](repeating: [], count: books.count)
    for (reader, read) in booksOfReaders.enumerated() {
      for book in read { readers[Int(book)].append(Int32(reader)) }
    }
    readersOfBooks = readers
  }
}

/// Collects ``Readings`` of bounded size.
public struct ReadingCollector<Reader: Hashable & Sendable>: Sendable {
  /// Readers that are taken; further ones are left out.
  private let maxReaders: Int
  /// Books that are taken: those with the most readers.
  private let maxBooks: Int
  /// Books taken of one reader: each book of a reader with more says little.
  private let maxOfReader: Int

  private var numbers: [Reader: Int] = [:]
  private var weightsOfReaders: [[Int64: Float]] = []

  /// The defaults keep the computation of recommendations below 60 s and 1 GB.
  public init(maxReaders: Int = 10_000, maxBooks: Int = 10_000, maxOfReader: Int = 1_000) {
    self.maxReaders = maxReaders
    self.maxBooks = maxBooks
    self.maxOfReader = maxOfReader
  }

  /// Adds that a reader read a book; adding it again has no effect.
  ///
  /// - Parameter stars: the reader's rating; `nil` without one.
  /// - Returns: whether the reader is among those that are taken.
  @discardableResult
  public mutating func add(reader: Reader, book: Int64, stars: Stars? = nil) -> Bool {
    if let number = numbers[reader] {
      let isKept = weightsOfReaders[number].count < maxOfReader && weightsOfReaders[number][book] == nil
      if isKept { weightsOfReaders[number][book] = ReadingWeight.of(stars) }
      return true
    }
    guard weightsOfReaders.count < maxReaders else { return false }
    numbers[reader] = weightsOfReaders.count
    weightsOfReaders.append([book: ReadingWeight.of(stars)])
    return true
  }

  /// The readings collected so far.
  public var readings: Readings {
    var counts: [Int64: Int] = [:]
    for books in weightsOfReaders { for book in books.keys { counts[book, default: 0] += 1 } }
    // Of books with equally many readers the one with the lower number is taken.
    let kept = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(maxBooks).map(\.key).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(kept, Int32(0)...))
    let placed = weightsOfReaders.map { books in
      books.compactMap { book, weight in places[book].map { (place: $0, weight: weight) } }
        .sorted { $0.place < $1.place }
    }
    return Readings(
      books: kept, booksOfReaders: placed.map { $0.map(\.place) }, weightsOfReaders: placed.map { $0.map(\.weight) })
  }
}
