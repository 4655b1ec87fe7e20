import ChatDomain

extension SearchedWords {
  /// Longer texts take milliseconds in scripts without spaces, which an event loop has not.
  private static let maxBytesOnLoop = 512

  /// The words of a message, as ``vector(of:)`` finds them.
  static func vectorOffLoop(of text: String) async -> String {
    guard text.utf8.count > maxBytesOnLoop else { return vector(of: text) }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { vector(of: text) }
  }
}
