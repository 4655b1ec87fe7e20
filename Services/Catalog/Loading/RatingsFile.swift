import CatalogDomain

/// Who rated what, as `ratings.csv` of goodbooks-10k has it, for a measurement that needs no database.
package enum RatingsFile {
  /// Reads what `nextChunk` gives until that is nil. Lines that cannot be loaded either are passed over, and so are books whose ids are no numbers.
  ///
  /// - Parameter maxBooks: books that are looked at: those that most users read.
  /// - Throws: ``UnusableFile``; what `nextChunk` throws.
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
