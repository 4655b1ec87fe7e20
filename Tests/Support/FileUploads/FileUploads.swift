public import TTRPC
public import TandemImporter

extension ActivitiesClient {
  /// Uploads a file's chunks, as far as the server allows.
  ///
  /// - Parameter first: says what is to become of the file; it may have a first chunk, too.
  /// - Throws: the refusal; ``UploadWithoutResult``.
  public func importFile(
    first: ImportFileRequest = ImportFileRequest(), _ chunks: some Sequence<[UInt8]>, _ options: CallOptions
  ) async throws -> FileImport {
    try await importFile(options) { writer, responses in
      var responses = responses.makeAsyncIterator()
      var (sent, limit) = (0, 0)
      try await writer.send(first)
      for chunk in chunks {
        while sent + chunk.count > limit {
          switch try await responses.next()?.step {
          case .byteLimit(let bytes): limit = Int(bytes)
          case .result(let result): return result
          case nil: throw UploadWithoutResult()
          }
        }
        try await writer.send(ImportFileRequest(chunk: chunk))
        sent += chunk.count
      }
      writer.finish()
      while let response = try await responses.next() { if case .result(let result) = response.step { return result } }
      throw UploadWithoutResult()
    }
  }
}

/// An upload ended without an error and without a result.
public struct UploadWithoutResult: Error {
  public init() {}
}
