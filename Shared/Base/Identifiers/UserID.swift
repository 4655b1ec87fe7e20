/// A user of the suite: the owner of an account.
public enum User {}

/// The id of a user, the same in every service. A UUIDv7 that identity draws at registration.
public typealias UserID = Identifier<User>
