import TTRPC
import TandemImporter

extension Activities {
  /// Everything that is stored of the caller, as a zip file ([IM-11]).
  package func exportActivities(
    _ call: ExportActivitiesRequest, _ responses: MessageWriter<ExportActivitiesResponse>, _ context: CallContext
  ) async throws {
    throw Status(.unimplemented, reason: "UNIMPLEMENTED", "Not yet")
  }
}
