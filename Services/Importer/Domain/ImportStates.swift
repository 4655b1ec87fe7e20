/// The state of an import ([IM-4]). The raw values are stored.
package enum ImportState: String, Sendable, Hashable, CaseIterable {
  /// Nothing was received yet. Becomes any other.
  case gathering = "GATHERING"
  /// Data is being received. Becomes one of those below.
  case importing = "IMPORTING"
  case succeeded = "SUCCEEDED"
  case failed = "FAILED"
  case cancelled = "CANCELLED"

  package var hasEnded: Bool { self != .gathering && self != .importing }
}

/// Why an import failed. The raw values are stored.
package enum ImportFailure: String, Sendable, Hashable, CaseIterable {
  /// The provider issued no access token ([IM-5]).
  case token = "TOKEN"
  /// The user has revoked the consent, or it has ended ([IM-9]).
  case consent = "CONSENT"
  /// The provider could not be reached, or failed.
  case provider = "PROVIDER"
  /// The provider's answers are not what it documents.
  case answer = "ANSWER"
  /// The provider's interface is gone.
  case gone = "GONE"
  /// More would be stored of the user than may be.
  case storage = "STORAGE"
}

/// The state of an uploaded file's import ([IM-10]). The raw values are stored.
package enum FileImportState: String, Sendable, Hashable, CaseIterable {
  /// The file is being received or read. Becomes one of those below.
  case running = "RUNNING"
  case done = "DONE"
  case failed = "FAILED"
  case cancelled = "CANCELLED"
}

/// Who began an import. The raw values are stored.
package enum ImportCause: String, Sendable, Hashable, CaseIterable {
  case user = "USER"
  case schedule = "SCHEDULE"
  case webhook = "WEBHOOK"
}

/// The state of a connection. The raw values are stored.
package enum ConnectionState: String, Sendable, Hashable, CaseIterable {
  case connected = "CONNECTED"
  case needsConsent = "NEEDS_CONSENT"
  case ending = "ENDING"
}

/// What users are told of imports.
package enum ImportWords {
  /// The message of an import; at most 120 characters.
  package static func message(_ state: ImportState, _ failure: ImportFailure?, missing: Int) -> String {
    switch (state, failure) {
    case (.gathering, _): "Gathering information"
    case (.importing, _): "Importing"
    case (.succeeded, _) where missing == 0: "The data import is complete."
    case (.succeeded, _): "The data import is complete. Some data was not allowed."
    case (.cancelled, _): "The data import was cancelled."
    case (.failed, .consent?): "The data import failed. Please connect the tracker again."
    case (.failed, .gone?): "The data import failed. The tracker cannot be imported from any more."
    case (.failed, .storage?): "The data import failed. There is no more room for your data."
    case (.failed, _): "The data import failed. Please try again later."
    }
  }
}

/// What users are told of consents that they have ended.
package enum ConsentWords {
  package static func revoking(at provider: String) -> String { "\(provider) is being asked to end our access." }

  /// At most 120 characters, as the names of providers have a few.
  package static func unconfirmed(at provider: String) -> String {
    "\(provider) has not confirmed that our access has ended. Remove it in your account there."
  }
}

/// When a failed request of an import is repeated ([IM-5]).
package enum ImportRetry {
  /// Repetitions of a request for a page; after them the import fails.
  package static let maxRetries = 3
  /// Before the first repetition; it is four times as long before each further one.
  private static let firstPause: Duration = .seconds(5)
  /// The longest time that a provider may keep an import waiting.
  package static let maxWait: Duration = .seconds(24 * 3_600)

  /// The pause before a repetition: half of it is random, so that imports that failed together do not come back together.
  ///
  /// - Parameters:
  ///   - retries: how many there were before.
  ///   - wait: how long the provider asked to wait; never shortened, but to a day.
  ///   - chance: a random number from 0 to 1.
  /// - Returns: `nil` if there is no further one.
  package static func pause(after retries: Int, wait: Duration?, chance: Double) -> Duration? {
    guard retries < maxRetries else { return nil }
    let full = firstPause * (1 << (2 * retries))
    return max(full * (0.5 + chance / 2), min(wait ?? .zero, maxWait))
  }

  /// An estimate of how much of an import is done, in percent: pages of a stream count less the more there were.
  package static func percent(stream: Int, of streams: Int, pages: Int) -> Int {
    guard streams > 0 else { return 0 }
    let share = 1 - 1 / (1 + Double(pages) / 4)
    return min(99, Int((Double(stream) + share) / Double(streams) * 100))
  }
}
