import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension TrackerOperations {
  /// Has an import go on later, unless it has ended or gone on meanwhile.
  ///
  /// - Parameter retries: how often the present page was tried.
  package func postponeImport(
    _ id: ImportID, _ work: ImportWork.Row, until moment: Instant, retries: Int32, _ tx: Transaction
  ) async throws {
    let postpone = PostponeImport(
      retries: retries, retryAt: moment, now: environment.clock.now, importID: id, step: work.step)
    guard try await tx.first(postpone) != nil else { return }
    try await imports.goOn(id, from: work.provider, step: work.step + 1, at: moment, tx)
  }
}
