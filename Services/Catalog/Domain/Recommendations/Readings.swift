/// Who read what, by numbers: readers from 0, and books by their places in ``books``.
public struct Readings: Sendable {
  /// What the books are known by outside, in ascending order.
  public let books: [Int64]
  /// The books of each reader, in ascending order and each once.
  public let booksOfReaders: [[Int32]]
  /// The readers of each book, in ascending order.
  public let readersOfBooks: [[Int32]]

  /// - Parameter booksOfReaders: places in `books`, in ascending order and each once for a reader.
  public init(books: [Int64], booksOfReaders: [[Int32]]) {
    self.books = books
    self.booksOfReaders = booksOfReaders
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
  private let mostReaders: Int
  /// Books that are looked at: those that most people read.
  private let mostBooks: Int
  /// Books of one reader that are looked at: who read more says little about each.
  private let mostOfReader: Int

  private var numbers: [Reader: Int] = [:]
  private var booksOfReaders: [Set<Int64>] = []

  /// Within bounds that keep making the recommendations below 60 s and 1 GB.
  public init(mostReaders: Int = 10_000, mostBooks: Int = 10_000, mostOfReader: Int = 1_000) {
    self.mostReaders = mostReaders
    self.mostBooks = mostBooks
    self.mostOfReader = mostOfReader
  }

  /// Adds that somebody read a book; again it does nothing.
  public mutating func add(reader: Reader, book: Int64) {
    if let number = numbers[reader] {
      if booksOfReaders[number].count < mostOfReader { booksOfReaders[number].insert(book) }
    } else if booksOfReaders.count < mostReaders {
      numbers[reader] = booksOfReaders.count
      booksOfReaders.append([book])
    }
  }

  /// What was gathered.
  public var readings: Readings {
    var counts: [Int64: Int] = [:]
    for books in booksOfReaders { for book in books { counts[book, default: 0] += 1 } }
    // Of books that equally many read the one with the lower number stays.
    let kept = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(mostBooks).map(\.key).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(kept, Int32(0)...))
    return Readings(
      books: kept, booksOfReaders: booksOfReaders.map { books in books.compactMap { places[$0] }.sorted() })
  }
}
