import Geography
import Identifiers

// Arrivals and departures.

extension Tracker {
  /// Finds out by a position, newer than those before, whether the user is at the places they named.
  ///
  /// - Parameter audience: the groups that the position is reported to; `nil` for all. The others know what they knew.
  mutating func judgePlaces(by fix: Fix, for audience: Set<GroupID>?) {
    for place in places.indices {
      if audience != nil || !places[place].otherPresences.isEmpty {
        judgeApart(place, by: fix, for: audience)
        continue
      }
      let (presence, event) = places[place].presence(after: fix)
      guard presence != places[place].presence else { continue }
      places[place].presence = presence
      changedPlaces.insert(place)
      if let event { tell(event, of: places[place], to: places[place].groupIDs) }
    }
  }

  /// Does so where groups know different things.
  private mutating func judgeApart(_ place: Int, by fix: Fix, for audience: Set<GroupID>?) {
    let before = places[place]
    var told: [Geofence.Event: [GroupID]] = [:]
    places[place].presence = before.presence(after: fix).presence
    for id in before.groupIDs {
      var known = before.presence(knownBy: id)
      if audience?.contains(id) ?? true {
        let (presence, event) = before.presence(known, after: fix)
        if let event { told[event, default: []].append(id) }
        known = presence
      }
      places[place].otherPresences[id] = known == places[place].presence ? nil : known
    }
    if places[place].presence != before.presence { changedPlaces.insert(place) }
    if places[place].otherPresences != before.otherPresences { dividedPlaces.insert(place) }
    for (event, groupIDs) in told.sorted(by: { $0.key.at < $1.key.at }) {
      let end: Presence = event.kind == .arrival ? .inside : .outside
      tell(
        event, of: before, to: groupIDs,
        butToMembersOf: before.presence == end ? before.groupIDs.filter { before.otherPresences[$0] == nil } : [])
    }
  }

  /// Forgets where the user was: nothing was judged while positions were shown to no user.
  mutating func forgetPlaces() {
    for place in places.indices where places[place].presence != .unknown || !places[place].otherPresences.isEmpty {
      if !places[place].otherPresences.isEmpty { dividedPlaces.insert(place) }
      (places[place].presence, places[place].otherPresences) = (.unknown, [:])
      changedPlaces.insert(place)
    }
  }

  /// Tells those of some groups with which the user shared when it happened.
  ///
  /// - Parameter others: groups that know it already, if the user shares with them.
  private mutating func tell(
    _ event: Geofence.Event, of place: Geofence, to groupIDs: [GroupID], butToMembersOf others: [GroupID] = []
  ) {
    let sharing = groups.filter { group in
      group.status.isShared && group.sharedSince.map { $0 <= event.at } ?? false
    }.map(\.groupID)
    let told = sharing.filter { groupIDs.contains($0) }
    guard !told.isEmpty else { return }
    placeNews.append(
      PlaceNews(
        placeID: place.placeID, name: place.name, event: event, groupIDs: told,
        otherGroupIDs: sharing.filter { others.contains($0) }))
  }

  /// Records that groups see what was told since `count` news were: the last of it, where it is more than happens to a person.
  mutating func showPlaces(since count: Int) {
    omittedVisits += max(0, placeNews.count - count - NewsLimits.maxVisitsOfReport)
    placeNews.removeSubrange(count..<max(count, placeNews.count - NewsLimits.maxVisitsOfReport))
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
