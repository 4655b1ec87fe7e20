extension StoredEdition {
  /// The main title.
  package var title: String { titles.first ?? "" }
}
