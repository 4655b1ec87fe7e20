import PlainWords

/// Words as searches compare them ([CA-25]).
public typealias Words = PlainWords.Words
