public import Identifiers
import Images
public import Postgres
public import TTRPC

/// Pictures in the database; every change is part of the caller's transaction, which has locked their holder.
public struct PictureStore: Sendable {
  private let database: Database

  /// Bytes of a chunk: of a row, and of a message.
  package static let chunkLength = 64 << 10

  /// - Parameter database: has the tables of `PicturesSchema`.
  public init(database: Database) {
    self.database = database
  }

  /// The pictures of a holder, the oldest first.
  public func pictures(of holder: UUID7) async throws -> [StoredPicture] {
    Self.grouped(try await database.rows(RenditionsOfHolder(holderID: holder)))
  }

  /// The pictures of a holder in a transaction, the oldest first.
  public func pictures(of holder: UUID7, in tx: Transaction) async throws -> [StoredPicture] {
    Self.grouped(try await tx.rows(RenditionsOfHolder(holderID: holder)))
  }

  /// Adds a picture.
  public func add(
    _ uploaded: UploadedPicture, as id: PictureID, of holder: UUID7, at now: Instant, in tx: Transaction
  ) async throws -> StoredPicture {
    let picture = StoredPicture(
      id: id, contentHash: uploaded.contentHash, uploadedAt: now,
      renditions: uploaded.renditions.map {
        .init(
          size: $0.size, mediaType: $0.format.mediaType, width: $0.width, height: $0.height, byteCount: $0.bytes.count)
      })
    try await tx.execute(
      InsertPicture(pictureID: id, holderID: holder, contentHash: picture.contentHash, uploadedAt: now))
    for rendition in uploaded.renditions {
      try await tx.execute(
        InsertRendition(
          pictureID: id, size: rendition.size, mediaType: rendition.format.mediaType, width: Int32(rendition.width),
          height: Int32(rendition.height), byteCount: Int32(rendition.bytes.count)))
      for (number, start) in stride(from: 0, to: rendition.bytes.count, by: Self.chunkLength).enumerated() {
        let bytes = Array(rendition.bytes[start..<min(start + Self.chunkLength, rendition.bytes.count)])
        try await tx.execute(
          InsertChunk(pictureID: id, size: rendition.size, number: Int32(number), bytes: bytes))
      }
    }
    return picture
  }

  /// Removes all pictures of a holder; returns whether there were any.
  @discardableResult
  public func removeAll(of holder: UUID7, in tx: Transaction) async throws -> Bool {
    try await !tx.rows(DeletePictures(holderID: holder)).isEmpty
  }

  /// Removes one picture of a holder; returns whether it was there.
  public func remove(_ picture: PictureID, of holder: UUID7, in tx: Transaction) async throws -> Bool {
    try await tx.first(DeletePicture(pictureID: picture, holderID: holder)) != nil
  }

  /// Sends the file of a rendition chunk by chunk, each read once there is room to send it.
  ///
  /// - Parameter message: makes a message of a chunk.
  /// - Throws: ABORTED `PICTURE_CHANGED` when the picture is deleted or replaced meanwhile.
  public func send<Message>(
    _ picture: PictureID, _ rendition: StoredPicture.Rendition, to responses: MessageWriter<Message>,
    _ message: ([UInt8]) -> Message
  ) async throws {
    for (number, _) in stride(from: 0, to: rendition.byteCount, by: Self.chunkLength).enumerated() {
      let chunk = PictureChunk(pictureID: picture, size: rendition.size, number: Int32(number))
      try await responses.send(about: Self.chunkLength) {
        guard let bytes = try await database.first(chunk) else { throw Status.pictureChanged }
        return message(bytes)
      }
    }
  }

  private static func grouped(_ rows: [RenditionsOfHolder.Row]) -> [StoredPicture] {
    var pictures: [StoredPicture] = []
    for row in rows {
      let isNext = pictures.last?.id == row.id
      let known = isNext ? pictures.removeLast().renditions : []
      pictures.append(
        StoredPicture(
          id: row.id, contentHash: row.contentHash, uploadedAt: row.uploadedAt, renditions: known + [row.rendition]))
    }
    return pictures
  }
}
