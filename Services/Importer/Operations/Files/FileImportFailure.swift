import FileContents

/// Why an uploaded file is not imported.
package enum FileImportFailure: Error, Sendable {
  /// The user has uploaded many files; how long until there may be more.
  case quotaReached(Duration)
  case unknownZone
  /// As many files are read as can be.
  case tooManyUploads
  /// There was no memory to read it; the next upload of the user is read alone.
  case readerKilled
  /// The client sent nothing for too long.
  case idle
  /// The file did not arrive in time, or so slowly that another took its seat.
  case tooSlow
  case broken(ActivityFileFault)
  /// Files cannot be read on this machine; the text is for the log.
  case unreadable(String)
  /// The user deleted the account meanwhile.
  case noAccount
}
