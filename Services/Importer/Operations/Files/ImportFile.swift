import FileContents
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import TandemEvents
import Timestamps

extension FileImports {
  /// Imports per user and window.
  private static let (maxImports, window): (Int64, Duration) = (500, .seconds(3_600))
  /// What was received and read is not given up because another upload of the user is being stored.
  private static let storePatience: Duration = .seconds(180)

  /// Notes that a user begins to upload a file. One that may not begin stores nothing.
  ///
  /// - Throws: `FileImportRefusal.quotaReached`. After any other error it may be noted all the same, and is to be failed.
  package func beginFileImport(_ id: ImportID, of user: UserID) async throws {
    let now = environment.clock.now
    let begin = InsertFileImport(
      importID: id, userID: user, now: now, since: ImportID(UUID7.earliest(at: now - Self.window)),
      most: Self.maxImports)
    guard try await database.write(begin).isEmpty else { return }
    throw FileImportRefusal.quotaReached(Self.window)
  }

  /// Reads a file while it arrives, and stores at once what it contains when it is read ([IM-10], [IM-8]).
  ///
  /// - Throws: `FileImportRefusal`, `FileReaderFailure`, `HeavyWork.Overloaded`, `RecordsBusy`, `StorageUse.Excess`, the database's errors, or
  ///   what the upload throws: then nothing of the file is stored but what was staged, which is removed later.
  package func importFile(
    _ upload: some FileUpload, as id: ImportID, of user: UserID
  ) async throws -> StoredFileImport {
    let seat = Seats.Seat(for: user)
    defer { reading.seats.leave(seat) }
    let (wishes, file) = try await read(upload, as: id, of: user, in: seat)
    if let fault = file.content.fault, file.content.format == nil || wishes.fault == .refuses {
      throw FileImportRefusal.broken(fault)
    }
    var batch = file.content.batch
    batch += try await LocalTimes(database: database).located(file.content.local, in: wishes.zone)
    if file.hasParts {
      // All are stored in the order of their starts, wherever they were in the file.
      try await stage(batch.activities, of: user, by: id)
      batch.activities = []
    }
    let prepared = try await activities.prepared(batch, of: user, staged: file.hasParts ? id : nil)
    return try await activities.inTurn(of: user, patience: Self.storePatience) {
      try await database.repeatableTransaction { tx in
        let counts = try await activities.storeRecords(prepared, from: .upload, of: user, by: id, tx)
        _ = try await tx.rows(FinishFileImport(id, file.content, counts))
        try await events.publish(
          TrackerImported(
            importID: id.description, userID: user.description, provider: "file",
            finishTime: environment.clock.now.timestamp), in: tx)
        guard let stored = try await tx.first(FileImportByID(importID: id)) else { throw FileImportRefusal.noAccount }
        return stored
      }
    }
  }

  /// Stores that an import failed, or was cancelled; soon, if that cannot be done now.
  ///
  /// - Parameter reason: what the client is told.
  package func failFileImport(
    _ id: ImportID, _ state: FileImportState, reason: String, _ error: any Error
  ) async {
    let fault: ActivityFileFault? =
      if case .broken(let fault)? = error as? FileImportRefusal { fault } else { nil }
    let ending = FinishFileImport(id, state, reason: reason, fault)
    do { _ = try await database.write(ending) } catch { endings.store(ending) }
  }

  /// Reads a file, in a process of its own, as fast as it arrives; activities of long ones are staged meanwhile.
  private func read(
    _ upload: some FileUpload, as id: ImportID, of user: UserID, in seat: Seats.Seat
  ) async throws -> (wishes: FilePart, file: ReadFile) {
    let silence = ClientSilence(clock: environment.clock, limit: reading.idleLimit)
    return try await beside([silence.watch]) {
      guard let wishes = try await silence.next(of: upload) else {
        throw FileImportRefusal.broken(ActivityFileFault(.unsupported, "The file is empty", offset: 0))
      }
      guard try await zones.isKnown(wishes.zone) else { throw FileImportRefusal.unknownZone }
      var beginning = wishes.chunk
      // A seat is taken, and a reader started, once there is something to read.
      while beginning.isEmpty, let part = try await silence.next(of: upload) { beginning = part.chunk }
      try await reading.sit(on: seat, by: environment.clock)
      let reader = try reading.reader(of: wishes.zone)
      defer { reader.end() }
      let file = try await beside([reading.watchTime, seat.watchLoss]) { [beginning] in
        try await reader.exchange { send in
          try await pass(beginning, silence, upload, to: send, in: seat)
        } taking: { frame in
          try await take(frame, of: user, by: id)
        }
      }
      return (wishes, try file ?? reading.deadEnd(of: reader, in: seat, at: environment.clock.now))
    }
  }

  /// Passes a file on to its reader, and lets the client send as much as was taken.
  private func pass(
    _ beginning: [UInt8], _ silence: ClientSilence, _ upload: some FileUpload, to send: FileReader.Send,
    in seat: Seats.Seat
  ) async throws {
    var (chunk, count) = (Optional(beginning), 0)
    while let bytes = chunk {
      count += bytes.count
      guard count <= FileLimits.uploadBytes else {
        throw FileImportRefusal.broken(ActivityFileFault(.tooLong, "The file is longer than 4 GiB", offset: count))
      }
      try await send(bytes)
      seat.note(bytes.count)
      try await upload.take(bytes.count)
      chunk = try await silence.next(of: upload)?.chunk
    }
    seat.noteEnd()
  }

  /// Takes what a reader says: activities that come before the end are staged; `nil` for bytes that are nothing of a reader's.
  private func take(
    _ frame: FileReader.Frame, of user: UserID, by id: ImportID
  ) async throws -> FileReader.Content? {
    let content = try await activities.work.run(for: user) { ContentCodec.decode(frame.content, on: $0) }
    guard let content, frame.place == .further else { return content.map { .last($0) } }
    try await stage(content.batch.activities, of: user, by: id)
    return .part(activities: content.batch.activities.count)
  }

  private func stage(_ staged: [ImportedActivity], of user: UserID, by id: ImportID) async throws {
    do { try await activities.stage(staged, of: user, by: id, in: database) } catch is ImportGone {
      throw FileImportRefusal.noAccount
    }
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
  fileprivate init(_ id: ImportID, _ state: FileImportState, reason: String, _ fault: ActivityFileFault?) {
    self.init(
      importID: id, state: state, format: "", newActivities: 0, mergedActivities: 0, knownActivities: 0, stepDays: 0,
      sleepCount: 0, weightCount: 0, faultMessage: fault?.message, faultOffset: fault.map { Int64($0.offset) },
      faultLine: fault.map { Int64($0.line) }, faultMember: fault?.member, activityIDs: [], skippedCount: 0,
      skippedMembers: [], skippedLists: [], skippedIndexes: [], skippedMessages: [], failure: reason)
  }
}

extension UUID7 {
  /// Not after any id that was made at a time.
  fileprivate static func earliest(at instant: Instant) -> UUID7 {
    UUID7(high: UInt64(max(0, instant.wholeMilliseconds)) << 16, low: 0)
  }
}
