public import Environment
import Cryptography
import Glibc
public import Identifiers
public import Images
public import Logging
public import Postgres
public import TTRPC

/// An uploaded file, made into a picture that may be stored.
public struct UploadedPicture: Sendable {
  /// In every size, the largest first.
  public let renditions: [Rendition]
  /// SHA-256 of the uploaded file.
  public let contentHash: [UInt8]
}

/// Receives files from users, with limits of their number, size, speed and concurrency.
public struct PictureUploads: Sendable {
  private let database: Database
  private let clock: any WallClock
  private let decoder: ImageDecoder
  private let room: UploadRoom
  private let timeLimit: Duration
  private let logger: Logger

  /// Twenty of the largest files at a time, or a thousand of usual size.
  private static let roomBytes = 100 << 20

  /// - Parameters:
  ///   - database: has the tables of `PicturesSchema`.
  ///   - timeLimit: how long a file may take to arrive.
  public init(database: Database, clock: any WallClock, decoder: ImageDecoder, timeLimit: Duration, logger: Logger) {
    self.database = database
    self.clock = clock
    self.decoder = decoder
    self.timeLimit = timeLimit
    self.logger = logger
    room = UploadRoom(capacity: Self.roomBytes)
  }

  /// Receives a file from the stream, makes it a picture, and passes `body` the stream's first message and the picture.
  ///
  /// - Parameters:
  ///   - user: the uploading user, for the quota.
  ///   - chunk: the part of the file that a message carries.
  ///   - admit: called with the stream's first message; throws where the rest need not be received.
  /// - Throws: `UnsupportedImage`; RESOURCE_EXHAUSTED `UPLOAD_QUOTA_REACHED`, `TOO_MANY_UPLOADS`; DEADLINE_EXCEEDED
  ///   `UPLOAD_TOO_SLOW`.
  public func receive<Message: Sendable, Result>(
    _ messages: MessageStream<Message>, from user: UserID, chunk: @escaping @Sendable (Message) -> [UInt8],
    admit: @escaping @Sendable (Message) async throws -> Void = { _ in },
    _ body: (Message, UploadedPicture) async throws -> Result
  ) async throws -> Result {
    try await countUpload(of: user)
    let file = FileInRoom(room)
    defer { file.leave() }
    let first = try await inTime { try await file.gather(messages, chunk, admit: admit) }
    guard let first else { throw UnsupportedImage.otherFormat }
    let bytes = file.bytes
    let renditions = try await decoded(bytes, of: user)
    return try await body(first, UploadedPicture(renditions: renditions, contentHash: Digest.sha256(bytes)))
  }

  private func decoded(_ bytes: [UInt8], of user: UserID) async throws -> [Rendition] {
    do { return try await decoder.renditions(of: bytes, for: user.description) } catch UnsupportedImage.deadly(
      signal: SIGSYS)
    {
      logger.error(
        "a picture had its decoder make a forbidden system call: it was taken over, or a library is newer than the filter",
        metadata: ["user": "\(user)"])
      throw UnsupportedImage.deadly(signal: SIGSYS)
    }
  }

  private func countUpload(of user: UserID) async throws {
    let now = clock.now
    let take = TakeUpload(
      userID: user, now: now, expiredAt: now - UploadQuota.window, limit: UploadQuota.uploads)
    guard let count = try await database.write(take).first, count.uploads > UploadQuota.uploads else { return }
    throw Status.uploadQuotaReached(retryAfter: max(.seconds(1), count.beganAt + UploadQuota.window - now))
  }

  /// The result of `receiving`, unless the time is up first.
  private func inTime<Value: Sendable>(_ receiving: @escaping @Sendable () async throws -> Value) async throws -> Value
  {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await receiving() }
      group.addTask {
        // The time limit of the whole upload; the group cancels this task when the upload ends first.
        try await Task.sleep(for: timeLimit)
        throw Status.uploadTooSlow
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
