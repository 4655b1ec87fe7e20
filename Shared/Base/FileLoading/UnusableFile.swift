/// Why nothing of a file can be loaded.
package struct UnusableFile: Error, Equatable {
  /// For who loads it.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
