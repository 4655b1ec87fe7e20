/// Who read what, by numbers: readers from 0, and books by their places in ``books``.
public struct Readings: Sendable {
  /// What the books are known by outside, in ascending order.
  public let books: [Int64]
  /// The books of each reader, in ascending order and each once.
  public let booksOfReaders: [[Int32]]
  /// What each of them says about its reader, in the same order; see ``ReadingWeight``.
  public let weightsOfReaders: [[Float]]
  /// The readers of each book, in ascending order.
  public let readersOfBooks: [[Int32]]

  /// - Parameters:
  ///   - booksOfReaders: places in `books`, in ascending order and each once for a reader.
  ///   - weightsOfReaders: as many for each reader as there are books; without them nobody rated anything.
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

/// Gathers ``Readings``, and keeps within bounds whatever comes.
public struct ReadingCollector<Reader: Hashable & Sendable>: Sendable {
  /// Readers who are looked at; further ones are left out.
  private let maxReaders: Int
  /// Books that are looked at: those that most users read.
  private let maxBooks: Int
  /// Books of one reader that are looked at: who read more says little about each.
  private let maxOfReader: Int

  private var numbers: [Reader: Int] = [:]
  private var weightsOfReaders: [[Int64: Float]] = []

  /// Within bounds that keep making the recommendations below 60 s and 1 GB.
  public init(maxReaders: Int = 10_000, maxBooks: Int = 10_000, maxOfReader: Int = 1_000) {
    self.maxReaders = maxReaders
    self.maxBooks = maxBooks
    self.maxOfReader = maxOfReader
  }

  /// Adds that somebody read a book; again it does nothing.
  ///
  /// - Parameter stars: how they liked it; `nil` where they did not say.
  /// - Returns: whether the reader is one of those who are looked at.
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

  /// What was gathered.
  public var readings: Readings {
    var counts: [Int64: Int] = [:]
    for books in weightsOfReaders { for book in books.keys { counts[book, default: 0] += 1 } }
    // Of books that equally many read the one with the lower number stays.
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
