import Identifiers

// What users do.

extension Tracker {
  /// - Throws: `noSuchGroup` unless the user is a member of all of these.
  public func checkMember(of groupIDs: [GroupID]) throws(MemberRefusal) {
    guard Set(groupIDs).isSubset(of: groups.map(\.groupID)) else { throw .noSuchGroup }
  }

  /// The journey that the user is on.
  ///
  /// - Throws: `notOnAJourney`; `noSuchGroup` unless all of these groups see it.
  public func openJourney(seenBy groupIDs: [GroupID]) throws(MemberRefusal) -> OpenJourney {
    guard let journey, journey.plan != nil else { throw .notOnAJourney }
    let seeing = Set(groups.filter(\.status.isOnJourney).map(\.groupID))
    guard seeing.isSuperset(of: groupIDs) else { throw .noSuchGroup }
    return journey
  }

  /// Starts sharing with some of the user's groups ([TR-1]).
  public mutating func startSharing(with groupIDs: Set<GroupID>, at now: Instant) throws(MemberRefusal) {
    let before = groups
    if !isWatched { forgetPlaces() }
    if journey == nil || isSilent { begin(at: now) }
    let places = self.places(of: groupIDs)
    try apply(.sharingStarted, in: places, at: now)
    tellGroups(otherwise: nil, since: before, in: places)
    schedule()
  }

  /// Stops sharing with some of the user's groups ([TR-1]); a journey that they saw is not seen by them any more.
  public mutating func stopSharing(with groupIDs: Set<GroupID>, at now: Instant) throws(MemberRefusal) {
    let before = groups
    let places = self.places(of: groupIDs)
    try apply(.sharingStopped, in: places, at: now)
    tellGroups(otherwise: nil, since: before, in: places)
    isChanged = true
    schedule()
  }

  /// Starts a journey that some of the user's groups see ([TR-6]).
  public mutating func start(_ new: OpenJourney, seenBy groupIDs: Set<GroupID>) throws(MemberRefusal) {
    if let journey { throw journey.plan == nil ? .inSOS : .onAJourney }
    let before = groups
    if !isWatched { forgetPlaces() }
    journey = new
    trail = Trail()
    (progress, estimatedAt) = (JourneyProgress(), nil)
    begin(at: new.startedAt)
    let places = self.places(of: groupIDs)
    try apply(.journeyStarted, in: places, at: new.startedAt)
    tellGroups(otherwise: nil, since: before, in: places)
    schedule()
  }

  /// Ends the journey before its destination ([TR-6]).
  ///
  /// - Parameter groupIDs: the groups for which it ends, while it goes on for the others that see it; `nil` for all. Members who see it in another
  ///   group are not notified.
  public mutating func stopJourney(for groupIDs: Set<GroupID>? = nil, at now: Instant) throws(MemberRefusal) {
    guard let journey, journey.plan != nil else { throw .notOnAJourney }
    let before = groups
    let seeing = groups.indices.filter { groups[$0].status.isOnJourney }
    let left = groupIDs.map { some in seeing.filter { !some.contains(groups[$0].groupID) } } ?? []
    if let groupIDs, !left.isEmpty {
      try apply(.journeyStopped, in: places(of: groupIDs), at: now, butToMembersOf: left)
      tellGroups(otherwise: nil, since: before, in: groups.indices)
      isChanged = true
      return schedule()
    }
    try apply(.journeyStopped, in: seeing, at: now)
    finish(JourneyEnd(journeyID: journey.id, at: now, outcome: .stopped))
    begin(at: now)
    tellGroups(otherwise: nil, since: before, in: groups.indices)
    schedule()
  }

  /// Ends a journey that its user forgot, as of the last that is known of it, so that it can be deleted ([TR-13]). Nobody is notified, and the
  /// groups that saw it see nothing of the user any more.
  public mutating func endForgottenJourney() {
    guard let journey, let plan = journey.plan else { return }
    let before = groups
    // Only groups in SOS refuse it.
    do {
      try apply(.sharingStopped, in: groups.indices.filter { groups[$0].status.isOnJourney }, at: plan.arrivalAt)
    } catch {
      preconditionFailure("a user on a journey is not in SOS")
    }
    finish(JourneyEnd(journeyID: journey.id, at: max(plan.arrivalAt, heardAt ?? plan.arrivalAt), outcome: .stopped))
    tellGroups(otherwise: nil, since: before, in: groups.indices)
    schedule()
  }

  /// Triggers an alert in all groups ([TR-5]); a journey ends by it. In an alert the groups that do not see it yet are added.
  public mutating func startSOS(_ id: JourneyID, at now: Instant) throws(MemberRefusal) {
    guard alert == nil else { return showAlert(at: now) }
    let before = groups
    // What was refused before may be sent again, and is taken then.
    recentReports = RecentReports()
    if let journey { finish(JourneyEnd(journeyID: journey.id, at: now, outcome: .sos)) }
    if !isWatched { forgetPlaces() }
    journey = OpenJourney(id, startedAt: now, plan: nil)
    begin(at: now)
    try apply(.sosStarted, in: groups.indices, at: now)
    tellGroups(otherwise: nil, since: before, in: groups.indices)
    schedule()
  }

  /// Shows the alert in progress to the groups that do not see it: the user has become a member since it began. Members who see it in another
  /// group are not notified again.
  public mutating func showAlert(at now: Instant) {
    let before = groups
    let added = groups.indices.filter { groups[$0].status.state != .sos }
    guard let alert, !added.isEmpty else { return }
    // Whatever arrived since it began may help.
    for place in added { groups[place].sharedSince = alert.startedAt }
    // A state is no reason to refuse an alert.
    do {
      try apply(
        .sosStarted, in: added, at: now, butToMembersOf: groups.indices.filter { before[$0].status.state == .sos })
      if isSilent { try apply(.fellSilent, in: added, at: now, butToMembersOf: Array(groups.indices)) }
    } catch {
      preconditionFailure("an alert can begin in every state")
    }
    addedToAlert = added.map { groups[$0].groupID }
    tellGroups(otherwise: nil, since: before, in: added)
    isChanged = true
    schedule()
  }

  /// Stops the alert ([TR-5]).
  public mutating func stopSOS(at now: Instant) throws(MemberRefusal) {
    guard let journey, journey.plan == nil else { throw .notInSOS }
    let before = groups
    try apply(.sosStopped, in: groups.indices.filter { groups[$0].status.state == .sos }, at: now)
    finish(JourneyEnd(journeyID: journey.id, at: now, outcome: .stopped))
    begin(at: now)
    tellGroups(otherwise: nil, since: before, in: groups.indices)
    schedule()
  }

  private func places(of groupIDs: Set<GroupID>) -> [Int] {
    groups.indices.filter { groupIDs.contains(groups[$0].groupID) }
  }

  /// A user who begins something is expected to report from then on.
  private mutating func begin(at now: Instant) {
    heardAt = now
    isSilent = false
    isChanged = true
    for place in groups.indices where groups[place].withheldSince != nil {
      groups[place].withheldSince = now
      changedGroups.insert(place)
    }
  }
}
