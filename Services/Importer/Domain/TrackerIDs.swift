public import Identifiers

/// A user's consent to import from a provider.
public enum TrackerConnection {}
public typealias ConnectionID = Identifier<TrackerConnection>
/// A connection whose tokens are being requested.
public enum TrackerCompletion {}
public typealias CompletionID = Identifier<TrackerCompletion>
