import TextNormalization

/// The words of a text, normalised for searches ([CA-25]).
public typealias Words = TextNormalization.Words
