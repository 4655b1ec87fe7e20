import Identifiers

/// The number that identifies an edition ([CA-20]).
public typealias ISBN = Identifiers.ISBN
