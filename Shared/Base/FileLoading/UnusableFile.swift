/// Why nothing of a file can be loaded.
package struct UnusableFile: Error, Equatable {
  /// For the operator who loads the file.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
