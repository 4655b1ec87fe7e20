import FieldViolations
import FileContents
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import Postgres
import Synchronization
import TTRPC
import TandemEvents
import TandemImporter
import Timestamps

extension Activities {
  /// Imports a file of a tracker: it is read while it arrives, and stored at once when it is read ([IM-10], [IM-8]).
  package func importFile(
    _ requests: MessageStream<ImportFileRequest>, _ responses: MessageWriter<ImportFileResponse>,
    _ context: CallContext
  ) async throws {
    let user = try context.userID
    let id: ImportID = environment.newID()
    try await endings.awaited {
      // One that may not begin stores nothing.
      try await begin(id, of: user)
      let seat = Seats.Seat(for: user)
      defer { files.leave(seat) }
      let result: FileImport
      do {
        let (file, wishes) = try await receivedInTime(requests, responses, by: id, from: user, in: seat)
        result = try await finish(id, of: user, file, wishes)
      } catch {
        let refusal = await Self.refusal(error, requests)
        // Whatever it was, the user sees at once that it failed.
        await end(FinishFileImport(id, refusal, (error as? RefusedFile)?.fault))
        throw refusal
      }
      // It is stored, also if the client is gone.
      try await responses.send(ImportFileResponse(step: .result(result)))
    }
  }

  private func begin(_ id: ImportID, of user: UserID) async throws {
    let now = environment.clock.now
    let begin = InsertFileImport(
      importID: id, userID: user, now: now, since: ImportID(UUID7.earliest(at: now - UploadQuota.window)),
      most: UploadQuota.files)
    guard try await database.write(begin).isEmpty else { return }
    throw Status.uploadQuotaReached(retryAfter: UploadQuota.window)
  }

  /// Stores how an import ended; soon, if that cannot be done now.
  private func end(_ ending: FinishFileImport) async {
    do { _ = try await database.write(ending) } catch { endings.store(ending) }
  }

  /// What the client is told of an error, or was told: a task that was cancelled because its call had ended only knows that.
  private static func refusal(_ error: any Error, _ requests: MessageStream<ImportFileRequest>) async -> any Error {
    if let refused = error as? RefusedFile { return refused.status }
    guard Task.isCancelled else { return error }
    // What has arrived waits before the end. A cancelled task does not wait for more.
    var messages = requests.makeAsyncIterator()
    do throws(Status) { while try await messages.next() != nil {} } catch { return error }
    return Status(.cancelled, "The upload was cancelled")
  }

  /// The same as `received`, from a client that is not silent for too long.
  private func receivedInTime(
    _ requests: MessageStream<ImportFileRequest>, _ responses: MessageWriter<ImportFileResponse>, by id: ImportID,
    from user: UserID, in seat: Seats.Seat
  ) async throws -> (ReadFile, FileWishes) {
    let silence = ClientSilence(clock: environment.clock, limit: files.idleLimit)
    return try await withThrowingTaskGroup(of: (ReadFile, FileWishes)?.self) { group in
      group.addTask { try await received(requests, responses, by: id, from: user, in: seat, silence) }
      group.addTask {
        try await silence.watch()
        return nil
      }
      defer { group.cancelAll() }
      guard let received = try await group.next() ?? nil else { throw CancellationError() }
      return received
    }
  }

  /// Reads the file of a stream, and says how far its client may send.
  private func received(
    _ requests: MessageStream<ImportFileRequest>, _ responses: MessageWriter<ImportFileResponse>, by id: ImportID,
    from user: UserID, in seat: Seats.Seat, _ silence: ClientSilence
  ) async throws -> (ReadFile, FileWishes) {
    let begin = UploadWindow(files.bytesAhead)
    try await responses.send(ImportFileResponse(step: .byteLimit(Int64(begin.limit))))
    var messages = requests.makeAsyncIterator()
    guard let first = try await silence.next(&messages) else {
      throw RefusedFile(fault: ActivityFileFault(.unsupported, "The file is empty", offset: 0))
    }
    let wishes = FileWishes(first)
    guard try await zones.isKnown(wishes.zone) else { throw BadFields.unknownZone.status }
    var beginning = first.chunk
    // A reader is started once there is something to read.
    while beginning.isEmpty, let message = try await silence.next(&messages) { beginning = message.chunk }
    let start = beginning
    let file = try await files.content(
      from: user, in: seat, zone: wishes.zone, by: environment.clock, on: store.work,
      keeping: { try await stage($0, of: user, by: id) }
    ) { send in
      var window = begin
      func pass(_ chunk: [UInt8]) async throws {
        try await send(chunk)
        guard let limit = window.limit(afterTaking: chunk.count) else { return }
        try await responses.send(ImportFileResponse(step: .byteLimit(Int64(limit))))
      }
      try await pass(start)
      var messages = requests.makeAsyncIterator()
      while let message = try await silence.next(&messages) {
        let count = window.taken + message.chunk.count
        guard count <= FileLimits.uploadBytes else {
          throw RefusedFile(fault: ActivityFileFault(.tooLong, "The file is longer than 4 GiB", offset: count))
        }
        try await pass(message.chunk)
      }
    }
    return (file, wishes)
  }

  private func finish(
    _ id: ImportID, of user: UserID, _ file: ReadFile, _ wishes: FileWishes
  ) async throws -> FileImport {
    let content = file.content
    if let fault = content.fault, content.format == nil || wishes.onFault == .refuse { throw RefusedFile(fault: fault) }
    var batch = content.batch
    batch += try await LocalTimes(database: database).located(content.local, in: wishes.zone)
    if file.hasParts {
      // All are stored in the order of their starts, wherever they were in the file.
      try await stage(batch.activities, of: user, by: id)
      batch.activities = []
    }
    let prepared = try await store.prepared(batch, of: user, staged: file.hasParts ? id : nil)
    return try await store.inTurn(of: user, patience: Self.storePatience) {
      try await database.repeatableTransaction { tx in
        let counts = try await store.store(prepared, from: .upload, of: user, by: id, in: tx)
        try await tx.execute(FinishFileImport(id, content, counts))
        try await events.publish(
          TrackerImported(
            importID: id.description, userID: user.description, provider: "file",
            finishTime: environment.clock.now.timestamp), in: tx)
        guard let row = try await tx.first(FileImportByID(importID: id)) else { throw Status.notAUser }
        return FileImport(row, interrupted: row.startedAt)
      }
    }
  }

  private func stage(_ activities: [ImportedActivity], of user: UserID, by id: ImportID) async throws {
    do { try await store.stage(activities, of: user, by: id, in: database) } catch is ImportGone {
      throw Status.notAUser
    }
  }

  /// What was received and read is not given up because another upload of the user is being stored.
  private static let storePatience: Duration = .seconds(180)
}

/// What the first message of an upload asks for.
struct FileWishes {
  enum Broken {
    case refuse
    case keep
  }

  let onFault: Broken
  let zone: String

  init(_ first: ImportFileRequest) {
    onFault = first.onFault == .keep ? .keep : .refuse
    zone = first.timeZone.isEmpty ? "UTC" : first.timeZone
  }
}

/// How far the client of an upload may send: ttrpc does not stop a sender, and what waits beyond a limit fails the stream.
struct UploadWindow {
  private let bytesAhead: Int
  /// Bytes that were passed on to the reader.
  private(set) var taken = 0
  /// Bytes, from the beginning of the file, that the client may send.
  private(set) var limit: Int

  /// - Parameter bytesAhead: how many bytes may be sent beyond those that were taken.
  init(_ bytesAhead: Int) { (self.bytesAhead, limit) = (bytesAhead, bytesAhead) }

  /// Counts taken bytes.
  ///
  /// - Returns: the new limit once it has moved by an eighth of the window, so that few messages tell of it; else `nil`.
  mutating func limit(afterTaking count: Int) -> Int? {
    taken += count
    guard taken + bytesAhead - limit >= bytesAhead / 8 else { return nil }
    limit = taken + bytesAhead
    return limit
  }
}

/// How often a user may upload a file.
enum UploadQuota {
  static let files: Int64 = 500
  static let window: Duration = .seconds(3_600)
}

/// A file of which nothing is stored.
struct RefusedFile: Error {
  let fault: ActivityFileFault

  /// INVALID_ARGUMENT with the place of the fault.
  var status: Status {
    let reason: ImporterReason =
      switch fault.kind {
      case .unsupported: .fileUnsupported
      case .broken: .fileBroken
      case .tooLong: .fileTooLong
      case .tooMuch: .fileTooMuch
      }
    return BadFields("chunk", fault.sentence, reason).status
  }
}

extension ActivityFileFault {
  /// What is wrong, and where.
  var sentence: String {
    let place = line > 0 ? "line \(line), byte \(offset)" : "byte \(offset)"
    return message + " (\(place)" + (member.isEmpty ? ")" : " of \(member))")
  }
}

extension FinishFileImport {
  /// The import is done; at most the first 100 activities are recorded.
  fileprivate init(_ id: ImportID, _ content: ActivityFileContent, _ counts: StoredCounts) {
    self.init(
      importID: id, state: .done, format: content.format?.rawValue ?? "", newActivities: Int32(counts.newActivities),
      mergedActivities: Int32(counts.mergedActivities), knownActivities: Int32(counts.knownActivities),
      stepDays: Int32(counts.stepDays), sleepCount: Int32(counts.sleeps), weightCount: Int32(counts.weights),
      faultMessage: content.fault?.message, faultOffset: content.fault.map { Int64($0.offset) },
      faultLine: content.fault.map { Int64($0.line) }, faultMember: content.fault?.member,
      activityIDs: Array(counts.activityIDs.prefix(100)), skippedCount: Int32(content.skippedCount),
      skippedMembers: content.skipped.map(\.member), skippedLists: content.skipped.map(\.list),
      skippedIndexes: content.skipped.map { Int64($0.index) }, skippedMessages: content.skipped.map(\.message),
      failure: nil)
  }

  /// The import failed or was cancelled, and nothing is stored.
  fileprivate init(_ id: ImportID, _ error: any Error, _ fault: ActivityFileFault?) {
    let refusal = error as? Status ?? (error as? any StatusConvertible)?.status ?? Status.opaque
    let isCancelled = refusal.code == .cancelled
    self.init(
      importID: id, state: isCancelled ? .cancelled : .failed, format: "", newActivities: 0, mergedActivities: 0,
      knownActivities: 0, stepDays: 0, sleepCount: 0, weightCount: 0, faultMessage: fault?.message,
      faultOffset: fault.map { Int64($0.offset) }, faultLine: fault.map { Int64($0.line) },
      faultMember: fault?.member, activityIDs: [], skippedCount: 0, skippedMembers: [], skippedLists: [],
      skippedIndexes: [], skippedMessages: [],
      failure: isCancelled ? "UPLOAD_CANCELLED" : refusal.errorInfo?.reason ?? refusal.code.name)
  }
}

extension UUID7 {
  /// Not after any id that was made at a time.
  static func earliest(at instant: Instant) -> UUID7 {
    UUID7(high: UInt64(max(0, instant.wholeMilliseconds)) << 16, low: 0)
  }
}
