import ChatDomain
import HeavyWork

extension SearchedWords {
  /// Longer texts take milliseconds in scripts without spaces, which an event loop has not.
  private static let maxBytesOnLoop = 512

  /// The words of a message, as ``vector(of:)`` finds them.
  ///
  /// - Throws: `HeavyWork.Overloaded`, `CancellationError`.
  static func vectorOffLoop(of text: String) async throws -> String {
    guard text.utf8.count > maxBytesOnLoop else { return shortVector(of: text) }
    return try await HeavyWork.shared.run { vector(of: text) }
  }

  /// Of a text that takes microseconds.
  private static func shortVector(of text: String) -> String { vector(of: text) }
}
