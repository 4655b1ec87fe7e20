import TTRPC
import TandemImporter

extension Activities {
  /// Imports a file of a tracker ([IM-10]).
  package func importFile(
    _ requests: MessageStream<ImportFileRequest>, _ context: CallContext
  ) async throws -> FileImport {
    throw Status(.unimplemented, reason: "UNIMPLEMENTED", "Not yet")
  }
}
