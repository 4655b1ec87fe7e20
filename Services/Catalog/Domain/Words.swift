import TextNormalization

/// Words as searches compare them ([CA-25]).
public typealias Words = TextNormalization.Words
