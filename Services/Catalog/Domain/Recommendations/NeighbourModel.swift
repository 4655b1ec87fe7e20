import WorkerPool

/// The books that are similar to a book, by their readers.
public struct BookNeighbours: Sendable {
  /// A similar book.
  public struct Neighbour: Sendable {
    /// The caller's number of the book.
    public let book: Int64
    /// How much having read the one makes the other more likely; negative if less likely.
    public let weight: Float
  }

  /// The caller's number of the book.
  public let book: Int64
  /// How many users read it.
  public let readers: Int
  /// The highest weight first.
  public let neighbours: [Neighbour]
}

/// Learns from readings which other books a user is likely to read ([CA-28]).
///
/// Each book is predicted from those closest to it by cosine: a ridge regression of its readers on the readers of those. This is the linear
/// model EASE (Steck, "Embarrassingly shallow autoencoders for sparse data", 2019) with a small system of equations for each book in place
/// of one over all books. Books with the same readers do not count twice, and the memory needed is one bit for each book and reader.
public enum NeighbourModel {
  /// Books that one is predicted from: the cost grows with the third power, and more gain little.
  static let explaining = 100
  /// Added to the diagonal of the equations: it reduces the weight of books with few readers.
  static let ridge: Float = 30
  /// Readers added to each book in a comparison: rare books with a few readers in common do not count as close.
  static let shrinkage: Float = 5
  /// Neighbours kept for a book: those with the highest weights. Only books with very many readers have more.
  static let kept = 500

  /// The neighbours of every book that has readers.
  public static func neighbours(in readings: Readings, on thread: borrowing PoolThread) -> [BookNeighbours] {
    let shared = SharedReaders(readings)
    var scratch = Scratch(books: readings.books.count)
    var weights = [[(book: Int32, weight: Float)]](repeating: [], count: readings.books.count)
    for book in readings.books.indices {
      let candidates = scratch.closest(to: book, in: readings)
      for (candidate, weight) in zip(candidates, shared.weights(of: candidates, for: book)) {
        weights[Int(candidate)].append((Int32(book), weight))
      }
    }
    return readings.books.indices.compactMap { book in
      let readers = readings.readersOfBooks[book].count
      guard readers > 0 else { return nil }
      let kept = weights[book].sorted { abs($0.weight) > abs($1.weight) }.prefix(kept)
      return BookNeighbours(
        book: readings.books[book], readers: readers,
        neighbours: kept.sorted { ($0.weight, $1.book) > ($1.weight, $0.book) }
          .map { .init(book: readings.books[Int($0.book)], weight: $0.weight) })
    }
  }
}

/// Buffers for one book, reused for the next.
private struct Scratch {
  private var counts: [Int32]
  private var touched: [Int32] = []

  init(books: Int) { counts = [Int32](repeating: 0, count: books) }

  /// The closest books by cosine, among those that share a reader with `book`.
  mutating func closest(to book: Int, in readings: Readings) -> [Int32] {
    for reader in readings.readersOfBooks[book] {
      for other in readings.booksOfReaders[Int(reader)] {
        if counts[Int(other)] == 0 { touched.append(other) }
        counts[Int(other)] += 1
      }
    }
    var closest = TopList(capacity: NeighbourModel.explaining)
    let readers = Float(readings.readersOfBooks[book].count)
    for other in touched where Int(other) != book {
      let both = (readers * Float(readings.readersOfBooks[Int(other)].count)).squareRoot()
      closest.offer(other, Float(counts[Int(other)]) / (both + NeighbourModel.shrinkage))
    }
    for other in touched { counts[Int(other)] = 0 }
    touched.removeAll(keepingCapacity: true)
    return closest.sorted.map(\.book)
  }
}

/// The best-scored books among all that were offered.
struct TopList: Sendable {
  private let capacity: Int
  /// A heap whose first element is the worst.
  private var heap: [(book: Int32, score: Float)] = []

  init(capacity: Int) { self.capacity = capacity }

  /// The best first; with equal scores the lower number first.
  var sorted: [(book: Int32, score: Float)] { heap.sorted { Self.isWorse($1, $0) } }

  mutating func offer(_ book: Int32, _ score: Float) {
    let offered = (book: book, score: score)
    if heap.count < capacity {
      heap.append(offered)
      rise(from: heap.count - 1)
    } else if let worst = heap.first, Self.isWorse(worst, offered) {
      heap[0] = offered
      sink()
    }
  }

  private static func isWorse(_ one: (book: Int32, score: Float), _ other: (book: Int32, score: Float)) -> Bool {
    one.score < other.score || (one.score == other.score && one.book > other.book)
  }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard Self.isWorse(heap[place], heap[parent]) else { return }
      heap.swapAt(place, parent)
      place = parent
    }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var worst = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && Self.isWorse(heap[child], heap[worst]) {
        worst = child
      }
      guard worst != place else { return }
      heap.swapAt(place, worst)
      place = worst
    }
  }
}
