import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
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
      guard let found = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
        throw Status.notConnected
      }
      guard found.state == .connected else { throw Status.consentNeeded }
      return try await begun(of: user, found, at: provider, tx)
    }
  }

  /// Begins an import that the user wants.
  func begun(
    of user: UserID, _ connection: ConnectionColumns, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws -> Import {
    try await expectFew(of: user, at: provider, tx)
    if let begun = try await imports.begin(of: user, connection, at: provider, by: .user, tx) { return Import(begun) }
    guard let running = try await tx.first(RunningImport(userID: user, provider: provider.id)) else {
      // It ended between the two statements; an import at this moment would bring nothing else.
      throw Status.trackerUnavailable(after: .zero)
    }
    throw Status.importRunning(running)
  }

  /// All users share what a provider allows: no user takes all of it.
  private func expectFew(of user: UserID, at provider: ConfiguredProvider, _ tx: Transaction) async throws {
    let count = try await tx.first(
      CountImports(
        userID: user, provider: provider.id, counted: Self.quota,
        begunAfter: environment.clock.now - Self.quotaWindow))
    guard (count ?? 0) < Self.quota else { throw Status.tooManyImports(retryAfter: Self.quotaWindow) }
  }

  private static let quota: Int64 = 20
  private static let quotaWindow: Duration = .seconds(3_600)
}
