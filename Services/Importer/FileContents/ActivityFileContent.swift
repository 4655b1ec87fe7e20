import ImporterDomain

/// What a file contains ([IM-10]).
package struct ActivityFileContent: Sendable, Equatable {
  package enum Format: String, Sendable, CaseIterable {
    case gpx
    case tcx
    case fit
    case appleHealth = "apple-health"
    case takeout
  }

  /// `nil` for a file of no known format.
  package var format: Format?
  package var batch = ImportedBatch()
  /// Why it could not be read on; what came before is in `batch`.
  package var fault: ActivityFileFault?

  package init(format: Format? = nil, batch: ImportedBatch = ImportedBatch(), fault: ActivityFileFault? = nil) {
    (self.format, self.batch, self.fault) = (format, batch, fault)
  }
}

extension ImportedBatch {
  package static func += (sum: inout ImportedBatch, more: ImportedBatch) {
    sum.activities += more.activities
    sum.steps += more.steps
    sum.sleeps += more.sleeps
    sum.weights += more.weights
  }
}
