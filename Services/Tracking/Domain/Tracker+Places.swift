import Geography
import Identifiers

// Arrivals and departures.

extension Tracker {
  /// Finds out by a position, newer than those before, whether the user is at the places they named.
  mutating func judgePlaces(by fix: Fix) {
    for place in places.indices {
      let (presence, event) = places[place].presence(after: fix)
      guard presence != places[place].presence else { continue }
      places[place].presence = presence
      changedPlaces.insert(place)
      if let event { tell(event, of: places[place]) }
    }
  }

  /// Forgets where the user was: nothing was judged while positions were shown to no user.
  mutating func forgetPlaces() {
    for place in places.indices where places[place].presence != .unknown {
      places[place].presence = .unknown
      changedPlaces.insert(place)
    }
  }

  /// Tells those of the place's groups with which the user shared when it happened.
  private mutating func tell(_ event: Geofence.Event, of place: Geofence) {
    let told = groups.filter { group in
      group.status.isShared && place.groupIDs.contains(group.groupID)
        && group.sharedSince.map { $0 <= event.at } ?? false
    }
    guard !told.isEmpty else { return }
    placeNews.append(
      PlaceNews(placeID: place.placeID, name: place.name, event: event, groupIDs: told.map(\.groupID)))
  }

  /// Records that groups see what was told since `count` news were: the last of it, where it is more than happens to a person.
  mutating func showPlaces(since count: Int) {
    omittedVisits += max(0, placeNews.count - count - NewsLimits.mostVisitsOfReport)
    placeNews.removeSubrange(count..<max(count, placeNews.count - NewsLimits.mostVisitsOfReport))
    for news in placeNews[count...] {
      for place in groups.indices where news.groupIDs.contains(groups[place].groupID) {
        let (group, kind) = (groups[place], news.event.kind == .arrival ? ChangeKind.placeReached : .placeLeft)
        show(
          GroupChange(
            kind, of: userID, in: group.groupID, state: group.status.state, warnings: group.status.warnings,
            visit: PlaceVisit(name: news.name, at: news.event.at)))
      }
    }
  }
}
