import ImporterDomain
import ImporterStore
import Identifiers
import Postgres
import ProviderAdapters

/// What one run of an import has brought.
package struct ImportStep: Sendable {
  /// Without a place of a next one, it is the end of its stream.
  package let page: DataPage
  let digest: Int64?
  /// A kind of data that the user has not allowed.
  let missing: DataKind?
  /// The named activity that the page is.
  let done: DropChangedActivity?

  package init(
    page: DataPage = DataPage(), digest: Int64? = nil, missing: DataKind? = nil, done: DropChangedActivity? = nil
  ) {
    (self.page, self.digest, self.missing, self.done) = (page, digest, missing, done)
  }
}

/// A page's records and the place of the next page are one transaction, which compares the step that the page was
/// fetched for: after a crash an import goes on where it was, and of two runs of one import only one stores a page.
extension TrackerOperations {
  /// Stores a page, and the place of the next one; false if the import has ended, or has gone on by another run.
  ///
  /// - Parameter records: those of the page, prepared before the transaction.
  package func storePage(
    _ step: ImportStep, _ records: PreparedBatch, of id: ImportID, _ work: ImportWork.Row, _ tx: Transaction
  ) async throws -> Bool {
    let (page, isLast) = (step.page, step.page.next == nil)
    let stream = isLast ? work.stream + 1 : work.stream
    let pages = isLast ? 0 : work.streamPages + 1
    let advance = AdvanceImport(
      stream: stream, pageCursor: page.next?.text, streamPages: pages,
      percent: Int32(ImportRetry.percent(stream: Int(stream), of: work.streams.count, pages: Int(pages))),
      activities: Int32(page.records.activities.count), stepDays: Int32(page.records.steps.count),
      sleeps: Int32(page.records.sleeps.count), weights: Int32(page.records.weights.count),
      skipped: Int32(page.skipped), missingKinds: work.missingKinds + (step.missing.map { [$0.rawValue] } ?? []),
      now: environment.clock.now, pageDigest: step.digest, importID: id, step: work.step)
    guard try await tx.first(advance) != nil else { return false }
    if let done = step.done { try await tx.execute(done) }
    _ = try await activities.storeRecords(records, from: .provider, of: work.userID, by: id, tx)
    imports.tell(id, after: tx)
    return true
  }

  /// Stores the part of a page that is whole, so that it is not fetched again; false as ``storePage(_:_:of:_:_:)``.
  ///
  /// - Parameter whole: the provider's ids of the activities.
  package func storePart(
    _ whole: [String], _ records: PreparedBatch, of id: ImportID, _ work: ImportWork.Row, _ tx: Transaction
  ) async throws -> Bool {
    let keep = KeepPart(
      externalIDs: whole, activities: Int32(whole.count), now: environment.clock.now, importID: id, step: work.step)
    guard try await tx.first(keep) != nil else { return false }
    _ = try await activities.storeRecords(records, from: .provider, of: work.userID, by: id, tx)
    imports.tell(id, after: tx)
    return true
  }
}
