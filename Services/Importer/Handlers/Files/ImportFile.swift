import FieldViolations
import ImporterDomain
import ImporterOperations
import ImporterStore
import Synchronization
import TTRPC
import TandemImporter

extension Activities {
  /// Imports a file of a tracker: it is read while it arrives, and stored at once when it is read ([IM-10], [IM-8]).
  package func importFile(
    _ requests: MessageStream<ImportFileRequest>, _ responses: MessageWriter<ImportFileResponse>,
    _ context: CallContext
  ) async throws {
    let user = try context.userID
    try await files.endings.awaited {
      let id = files.newImportID()
      let stored: StoredFileImport
      do {
        try await files.beginFileImport(id, of: user)
        let upload = Upload(requests, responses, bytesAhead: files.bytesAhead)
        try await upload.begin()
        stored = try await files.importFile(upload, as: id, of: user)
      } catch {
        if case .quotaReached? = error as? FileImportRefusal { throw error }
        let refusal = await Self.refusal(error, requests)
        let status = refusal as? Status ?? (refusal as? any StatusConvertible)?.status ?? Status.opaque
        // Whatever it was, the user sees at once that it failed.
        let isCancelled = status.code == .cancelled
        await files.failFileImport(
          id, isCancelled ? .cancelled : .failed,
          reason: isCancelled ? "UPLOAD_CANCELLED" : status.errorInfo?.reason ?? status.code.name, error)
        throw refusal
      }
      // It is stored, also if the client is gone.
      try await responses.send(
        ImportFileResponse(step: .result(FileImport(stored, interrupted: stored.startedAt))))
    }
  }

  /// What the client is told of an error, or was told: a task that was cancelled because its call had ended only knows that.
  private static func refusal(_ error: any Error, _ requests: MessageStream<ImportFileRequest>) async -> any Error {
    // What a file is called and what is wrong in it is for its user, and not for the log.
    if let failure = error as? FileImportRefusal, case .broken = failure { return failure.status }
    guard Task.isCancelled else { return error }
    // What has arrived waits before the end. A cancelled task does not wait for more.
    var messages = requests.makeAsyncIterator()
    do throws(Status) { while try await messages.next() != nil {} } catch { return error }
    return Status(.cancelled, "The upload was cancelled")
  }
}

/// A file that is the stream of a call, whose client is told how far it may send.
private struct Upload: FileUpload {
  private let requests: MessageStream<ImportFileRequest>
  private let responses: MessageWriter<ImportFileResponse>
  private let window: UploadWindow

  init(
    _ requests: MessageStream<ImportFileRequest>, _ responses: MessageWriter<ImportFileResponse>, bytesAhead: Int
  ) {
    (self.requests, self.responses) = (requests, responses)
    window = UploadWindow(bytesAhead)
  }

  /// Lets the client begin to send.
  func begin() async throws { try await tell(window.limit) }

  func next() async throws -> FilePart? {
    var messages = requests.makeAsyncIterator()
    return try await messages.next().map { FilePart($0) }
  }

  func take(_ count: Int) async throws {
    if let limit = window.limit(afterTaking: count) { try await tell(limit) }
  }

  private func tell(_ limit: Int) async throws {
    try await responses.send(ImportFileResponse(step: .byteLimit(Int64(limit))))
  }
}

extension FilePart {
  fileprivate init(_ request: ImportFileRequest) {
    self.init(
      chunk: request.chunk, fault: request.onFault == .keep ? .isReported : .refuses,
      zone: request.timeZone.isEmpty ? "UTC" : request.timeZone)
  }
}

/// How far the client of an upload may send: ttrpc does not stop a sender, and what waits beyond a limit fails the stream.
private final class UploadWindow: Sendable {
  private struct State {
    /// Bytes that were passed on to the reader.
    var taken = 0
    /// Bytes, from the beginning of the file, that the client may send.
    var limit: Int
  }

  private let bytesAhead: Int
  private let state: Mutex<State>

  /// - Parameter bytesAhead: how many bytes may be sent beyond those that were taken.
  init(_ bytesAhead: Int) {
    self.bytesAhead = bytesAhead
    state = Mutex(State(limit: bytesAhead))
  }

  var limit: Int { state.withLock { $0.limit } }

  /// Counts taken bytes.
  ///
  /// - Returns: the new limit once it has moved by an eighth of the window, so that few messages tell of it; else `nil`.
  func limit(afterTaking count: Int) -> Int? {
    state.withLock { state in
      state.taken += count
      guard state.taken + bytesAhead - state.limit >= bytesAhead / 8 else { return nil }
      state.limit = state.taken + bytesAhead
      return state.limit
    }
  }
}
