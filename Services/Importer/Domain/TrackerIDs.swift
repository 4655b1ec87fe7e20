public import Identifiers

/// A user's consent to import from a provider.
public enum TrackerConnection {}
public typealias ConnectionID = Identifier<TrackerConnection>
