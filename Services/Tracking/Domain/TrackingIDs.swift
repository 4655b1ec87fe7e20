import Identifiers

/// A group of users, as identity keeps it.
public enum UserGroup {}
public typealias GroupID = Identifier<UserGroup>
/// That a user is a member of a group; one who joins again has another.
public enum GroupMembership {}
public typealias MembershipID = Identifier<GroupMembership>
/// A journey, or an SOS alert.
public enum UserJourney {}
public typealias JourneyID = Identifier<UserJourney>
/// A place that a user named.
public enum UserPlace {}
public typealias PlaceID = Identifier<UserPlace>
/// A link to a journey.
public enum UserJourneyShare {}
public typealias ShareID = Identifier<UserJourneyShare>
