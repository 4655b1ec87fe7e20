import FieldViolations
import Idempotency
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter

extension Trackers {
  /// Starts an import of what is new ([IM-4]).
  package func startImport(_ call: StartImportRequest, _ context: CallContext) async throws -> Import {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let provider = try provider(call.provider)
    try await expectOpen(provider)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard let connection = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
        throw Status.notConnected
      }
      guard connection.state == .connected else { throw Status.consentNeeded }
      if let begun = try await imports.begin(of: user, connection, at: provider, by: .user, tx) { return Import(begun) }
      guard let running = try await tx.first(RunningImport(userID: user, provider: provider.id)) else {
        // It ended between the two statements; an import at this moment would bring nothing else.
        throw Status.trackerUnavailable(after: .zero)
      }
      throw Status.importRunning(running)
    }
  }
}
