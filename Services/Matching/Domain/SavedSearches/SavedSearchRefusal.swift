/// Why there is no such saved search.
package enum SavedSearchRefusal: Error, Sendable, Hashable, CaseIterable {
  case noSuchSearch
  case tooManySearches
}
