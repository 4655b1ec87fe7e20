import CatalogDomain

/// Who rated what, as `ratings.csv` of goodbooks-10k has it: columns are known by their names, and a rating says that a book was read.
package enum RatingsFile {
  private static let longestRecord = 1_000

  /// Reads what `nextChunk` gives until that is nil. A line without two whole numbers in their columns is passed over.
  ///
  /// - Throws: ``UnusableFile``; what `nextChunk` throws.
  package static func readings(_ nextChunk: () throws -> [UInt8]?) throws -> Readings {
    var (collector, columns) = (ReadingCollector<Int64>(), (user: Int, book: Int)?.none)
    var buffer = RecordBuffer(.line, longest: longestRecord)
    while true {
      let chunk = try nextChunk()
      if let chunk { buffer.append(chunk) }
      while let piece = buffer.next(isEnd: chunk == nil) {
        guard case .record(let line) = piece.content, let fields = CommaSeparated.fields(of: line) else { continue }
        guard let known = columns else {
          columns = try places(in: fields)
          continue
        }
        guard max(known.user, known.book) < fields.count, let user = Int64(fields[known.user]),
          let book = Int64(fields[known.book])
        else { continue }
        collector.add(reader: user, book: book)
      }
      if chunk == nil { return collector.readings }
    }
  }

  private static func places(in names: [String]) throws(UnusableFile) -> (user: Int, book: Int) {
    guard let user = names.firstIndex(of: "user_id"), let book = names.firstIndex(of: "book_id") else {
      throw UnusableFile(reason: "its first line does not name the columns user_id and book_id")
    }
    return (user, book)
  }
}
