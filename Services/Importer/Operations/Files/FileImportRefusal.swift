import FileContents

/// Why an uploaded file is not imported.
package enum FileImportRefusal: Error, Sendable {
  /// The user has uploaded many files; how long until there may be more.
  case quotaReached(Duration)
  case unknownZone
  /// As many files are read as can be.
  case tooManyUploads
  /// The client sent nothing for too long.
  case idle
  /// The file did not arrive in time, or so slowly that another took its seat.
  case tooSlow
  case broken(ActivityFileFault)
  /// The user deleted the account meanwhile.
  case noAccount
}

/// Why a reader of files gave no answer, which is nothing that is wrong with the file.
package enum FileReaderFailure: Error, Sendable {
  /// There was no memory for it; the next upload of the user is read alone.
  case killed
  /// Files cannot be read on this machine; the text is for the log.
  case notStarted(String)
}
