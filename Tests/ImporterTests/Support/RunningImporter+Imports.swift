import TandemImporter
import TestServices

extension RunningImporter {
  /// The states of an import that are streamed until it ends.
  func watched(_ id: String, as user: TestUser = .ada) async throws -> [Import] {
    try await trackers.watchImport(WatchImportRequest(importID: id), user.options) { stream in
      var states: [Import] = []
      for try await state in stream { states.append(state) }
      return states
    }
  }
}
