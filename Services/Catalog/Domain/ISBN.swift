import Identifiers

/// The number of an edition, by which a book is known ([CA-20]).
public typealias ISBN = Identifiers.ISBN
