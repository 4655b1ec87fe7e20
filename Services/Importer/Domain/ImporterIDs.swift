import Identifiers

/// What a user did, whichever sources reported it.
public enum PerformedActivity {}
public typealias ActivityID = Identifier<PerformedActivity>
/// One report of an activity, by a provider or in a file.
public enum ReportedActivity {}
public typealias SourceID = Identifier<ReportedActivity>
/// One import, of a tracker or of a file.
public enum TrackerImport {}
public typealias ImportID = Identifier<TrackerImport>
/// A link to the figures of an activity.
public enum ActivityLink {}
public typealias ActivityShareID = Identifier<ActivityLink>
