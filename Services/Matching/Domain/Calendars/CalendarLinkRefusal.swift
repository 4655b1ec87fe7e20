/// Why there is no link to a calendar.
package enum CalendarLinkRefusal: Error, Sendable, Hashable, CaseIterable {
  /// It was revoked, or never existed.
  case noSuchLink
  case tooManyLinks
}
