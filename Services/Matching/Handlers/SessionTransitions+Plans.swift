extension SessionTransitions {
  /// Offers places to those who wait.
  package var offers: PlaceOffers { PlaceOffers(events: events, jobs: jobs) }
  /// Notifies users of sessions that they search for.
  package var searches: SearchNotices { SearchNotices(events: events, jobs: jobs) }
}
