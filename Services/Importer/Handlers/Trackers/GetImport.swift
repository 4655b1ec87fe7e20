import FieldViolations
import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter

extension Trackers {
  /// One of the caller's imports.
  package func getImport(_ call: GetImportRequest, _ context: CallContext) async throws -> Import {
    var bad = Violations()
    let id = bad.importID(call.importID)
    return Import(try await found(try bad.all(id), of: try context.userID))
  }

  func found(_ id: ImportID, of user: UserID) async throws -> ImportColumns {
    guard let row = try await database.first(ImportOfUser(importID: id, userID: user)) else {
      throw TrackerRefusal.noSuchImport
    }
    return row
  }
}
