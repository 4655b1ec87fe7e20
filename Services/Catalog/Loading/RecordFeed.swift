import FileLoading

/// Splits the bytes of a file into records, for chunks of any size.
package protocol RecordSplitter {
  /// Appends the next chunk of the file.
  mutating func append(_ chunk: [UInt8])
  /// The next piece; `nil` if it is not complete yet.
  ///
  /// - Parameter isEnd: whether all bytes of the file have been appended.
  /// - Throws: ``UnusableFile`` for a file in another format.
  mutating func next(isEnd: Bool) throws(UnusableFile) -> RecordBuffer.Piece?
}

extension RecordBuffer: RecordSplitter {}

/// The records of a file, one chunk at a time ([CA-5]).
package struct RecordFeed<Cutter: RecordSplitter> {
  private var cutter: Cutter
  private var beginning = FileBeginning()
  private var isOver = false
  /// Bytes read so far.
  package private(set) var bytes = 0

  package init(_ cutter: Cutter) { self.cutter = cutter }

  /// Whether the last chunk was read.
  package var isAtEnd: Bool { isOver }

  /// The records that end within the next chunk; `nil` after the last.
  ///
  /// - Throws: ``UnusableFile``; what `nextChunk` throws.
  // Not inlined: the 6.3 optimiser breaks on asynchronous functions that have this in them.
  @inline(never)
  package mutating func next(_ nextChunk: () throws -> [UInt8]?) throws -> [RecordBuffer.Piece]? {
    guard !isOver else { return nil }
    let chunk = try nextChunk()
    cutter.append(try beginning.pass(chunk))
    bytes += chunk?.count ?? 0
    isOver = chunk == nil
    var pieces: [RecordBuffer.Piece] = []
    while let piece = try cutter.next(isEnd: isOver) { pieces.append(piece) }
    return pieces
  }
}
