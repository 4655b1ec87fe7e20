/// What is close to a book, by who read what.
public struct BookNeighbours: Sendable {
  /// One of them.
  public struct Neighbour: Sendable {
    /// What it is known by outside.
    public let book: Int64
    /// How much having read the one makes the other likely; below 0, unlikely.
    public let weight: Float
  }

  /// What the book is known by outside.
  public let book: Int64
  /// How many read it.
  public let readers: Int
  /// The closest first.
  public let neighbours: [Neighbour]
}

/// Learns from who read what which other books are likely, given that somebody read some ([CA-28]).
///
/// Each book is explained by those that are closest to it by cosine: a ridge regression of who read it on who read those. That is the linear
/// model EASE (Steck, "Embarrassingly shallow autoencoders for sparse data", 2019) with small systems of equations, each of its own, in place
/// of one whose sides are all books: books that say the same as others do not count twice, and what must be held grows with books times readers
/// by the bit.
public enum NeighbourModel {
  /// Books that one is explained by: more cost time by their third power and gain little.
  static let explaining = 100
  /// What is added to a book's own readers before equations are solved: what few readers say counts less.
  static let ridge: Float = 30
  /// Readers that two books are compared as if neither shared: so a chance meeting of rare books does not make them close.
  static let shrinkage: Float = 5
  /// Neighbours that are kept of a book: those that it says most about. Only books that very many read have more.
  static let kept = 500

  /// The neighbours of every book that has some readers.
  public static func neighbours(in readings: Readings) -> [BookNeighbours] {
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

/// What is counted for one book at a time, kept to be used again for the next.
private struct Scratch {
  private var counts: [Int32]
  private var touched: [Int32] = []

  init(books: Int) { counts = [Int32](repeating: 0, count: books) }

  /// The books that are closest to one by cosine, among those that a reader has in common with it.
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

/// Some books with their scores: the best of all that were offered.
struct TopList: Sendable {
  private let capacity: Int
  /// A heap whose first is the worst.
  private var heap: [(book: Int32, score: Float)] = []

  init(capacity: Int) { self.capacity = capacity }

  /// The best first; of equally good ones the one with the lower number.
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
