extension Focus {
  /// What a calendar calls a session.
  package var title: String { "Training: " + rawValue.lowercased() }
}
