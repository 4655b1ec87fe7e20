/// Cuts the bytes of a file into records, however they arrive.
protocol RecordSplitter {
  /// Takes what comes next.
  mutating func append(_ chunk: [UInt8])
  /// The next piece; `nil` when its end has not come yet.
  ///
  /// - Parameter isEnd: whether no more bytes come.
  /// - Throws: ``UnusableFile`` for a file that has no records of this kind at all.
  mutating func next(isEnd: Bool) throws(UnusableFile) -> RecordBuffer.Piece?
}

extension RecordBuffer: RecordSplitter {}

/// The records of a file, as many at a time as a chunk of it holds ([CA-5]).
struct RecordFeed<Cutter: RecordSplitter> {
  private var cutter: Cutter
  private var isOver = false
  /// How far the file was read.
  private(set) var bytes = 0

  init(_ cutter: Cutter) { self.cutter = cutter }

  /// Whether the last chunk was read.
  var isAtEnd: Bool { isOver }

  /// The records that end within the next chunk; `nil` after the last.
  ///
  /// - Throws: ``UnusableFile``; what `nextChunk` throws.
  // Not inlined: the 6.3 optimiser breaks on asynchronous functions that have this in them.
  @inline(never)
  mutating func next(_ nextChunk: () throws -> [UInt8]?) throws -> [RecordBuffer.Piece]? {
    guard !isOver else { return nil }
    let chunk = try nextChunk()
    if let chunk { cutter.append(bytes == 0 ? try Self.withoutMark(chunk) : chunk) }
    bytes += chunk?.count ?? 0
    isOver = chunk == nil
    var pieces: [RecordBuffer.Piece] = []
    while let piece = try cutter.next(isEnd: isOver) { pieces.append(piece) }
    return pieces
  }

  /// The first chunk without a mark of UTF-8, which Windows writes.
  private static func withoutMark(_ chunk: [UInt8]) throws(UnusableFile) -> [UInt8] {
    if chunk.starts(with: [0xFF, 0xFE]) || chunk.starts(with: [0xFE, 0xFF]) {
      throw UnusableFile(reason: "it is in UTF-16; convert it to UTF-8")
    }
    if chunk.starts(with: [0x1F, 0x8B]) {
      throw UnusableFile(reason: "it is compressed; unpack it, into this command's standard input for example")
    }
    return chunk.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(chunk.dropFirst(3)) : chunk
  }
}
