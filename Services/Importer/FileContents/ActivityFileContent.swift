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
  /// Records whose times are those of the user's clock, as if its zone were UTC, and whose zones are empty.
  package var local = ImportedBatch()
  /// Records that could not be read, at most the first `FileLimits.skippedRecords`; the others of their documents are in `batch`.
  package var skipped: [SkippedRecord] = []
  /// How many there are.
  package var skippedCount = 0
  /// Why it could not be read on; what came before is in `batch`.
  package var fault: ActivityFileFault?

  package init(format: Format? = nil, batch: ImportedBatch = ImportedBatch(), fault: ActivityFileFault? = nil) {
    (self.format, self.batch, self.fault) = (format, batch, fault)
  }
}

/// A record of a JSON document that could not be read.
package struct SkippedRecord: Sendable, Equatable {
  /// The document in the archive; empty for one that is the file.
  package var member: String
  /// The name of the list that it is in; empty for the list that is the document.
  package var list: String
  /// Its place in the list, from 0.
  package var index: Int
  /// What is wrong with it, for users.
  package var message: String

  package init(member: String, list: String, index: Int, message: String) {
    (self.member, self.list, self.index, self.message) = (member, list, index, message)
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
