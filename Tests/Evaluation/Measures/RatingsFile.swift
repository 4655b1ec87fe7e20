import CatalogDomain
import CatalogLoading

/// Reads `ratings.csv` of goodbooks-10k, for an evaluation without a database.
package enum RatingsFile {
  /// Reads the chunks of `nextChunk` until it returns nil. Lines that a load would refuse are skipped, and so are books whose ids are not
  /// numbers.
  ///
  /// - Parameter maxBooks: the most books that are taken: those with the most readers.
  /// - Throws: ``UnusableFile``; errors of `nextChunk`.
  package static func readings(
    maxBooks: Int = 10_000, _ nextChunk: () throws -> [UInt8]?
  ) throws -> Readings {
    var (collector, reader) = (ReadingCollector<Int64>(maxBooks: maxBooks), RatingsReader())
    var feed = RecordFeed(RecordBuffer(.line, longest: RatingsReader.maxRecordLength))
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces {
        guard let rating = try rating(in: piece, &reader), let book = Int64(rating.sourceID) else { continue }
        collector.add(reader: rating.reader, book: book, stars: rating.stars)
      }
    }
    return collector.readings
  }

  private static func rating(in piece: RecordBuffer.Piece, _ reader: inout RatingsReader) throws -> RatingRecord? {
    guard case .record(let line) = piece.content else { return nil }
    do { return try reader.read(line) } catch is RatingRecord.Flaw { return nil }
  }
}
