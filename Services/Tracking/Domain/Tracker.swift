import Geography
import Identifiers

/// A journey or an alert that is in progress.
public struct OpenJourney: Sendable, Hashable {
  public let id: JourneyID
  public let startedAt: Instant
  /// `nil` for an SOS alert.
  public let plan: JourneyPlan?

  public init(_ id: JourneyID, startedAt: Instant, plan: JourneyPlan?) {
    (self.id, self.startedAt, self.plan) = (id, startedAt, plan)
  }
}

/// Where a journey goes, and when it is to arrive.
public struct JourneyPlan: Sendable, Hashable {
  public let destination: GeoPoint
  public let arrivalAt: Instant

  public init(to destination: GeoPoint, arrivingAt arrivalAt: Instant) {
    (self.destination, self.arrivalAt) = (destination, arrivalAt)
  }
}

/// A user in a group.
public struct GroupStatus: Sendable, Hashable {
  public let groupID: GroupID
  public var status: MemberStatus

  /// Since when the group sees the current position: an older one is not shown to it.
  public internal(set) var sharedSince: Instant?
  /// When a position was last reported to the group, where later ones were reported to others alone; `nil` when it sees the current one.
  public internal(set) var withheldSince: Instant?
  /// The last one that was reported to it, where that is to be kept; `nil` if it is kept already, or there is none.
  public internal(set) var keptPosition: Fix?

  public init(
    _ groupID: GroupID, _ status: MemberStatus, sharedSince: Instant? = nil, withheldSince: Instant? = nil
  ) {
    self.groupID = groupID
    self.status = status
    self.sharedSince = sharedSince
    self.withheldSince = withheldSince
  }

  mutating func withhold(since: Instant, keeping position: Fix?) { (withheldSince, keptPosition) = (since, position) }

  mutating func show() { (withheldSince, keptPosition) = (nil, nil) }
}

/// A position of a path.
public struct RecordedFix: Sendable, Hashable {
  public let fix: Fix
  /// The groups that it was reported to; `nil` for all.
  public let groupIDs: [GroupID]?

  public init(_ fix: Fix, for groupIDs: [GroupID]?) { (self.fix, self.groupIDs) = (fix, groupIDs) }
}

/// What is notified, to the members of which groups.
public struct TrackerNews: Sendable, Hashable {
  public let news: MemberNews
  public let journeyID: JourneyID
  public var groupIDs: [GroupID]
  /// Groups whose members know it already, or see the journey still: they are not notified.
  public var otherGroupIDs: [GroupID] = []
  /// Tells repeated news of a journey apart.
  public let at: Instant
}

/// How a journey ended.
public struct JourneyEnd: Sendable, Hashable {
  public let journeyID: JourneyID
  public let at: Instant
  public let outcome: JourneyOutcome
}

/// The position and state of one user in all groups, and what is to be stored about them ([TR-2] to [TR-10]).
///
/// It is loaded with the user's row locked, changed by one or more of its methods, and stored.
public struct Tracker: Sendable {
  public let userID: UserID
  public internal(set) var position: Fix?
  /// When ``position`` arrived.
  public internal(set) var receivedAt: Instant?
  /// When the user was at ``position``, by the service's clock and as far as is known; never later than ``receivedAt``.
  public internal(set) var determinedAt: Instant?
  /// When the user last reported something usable, or began something.
  public internal(set) var heardAt: Instant?
  /// Whether the silence since then was noticed.
  public internal(set) var isSilent: Bool
  public internal(set) var trail: Trail
  /// The last position that was too far away.
  public internal(set) var suspect: TrailPoint?
  public internal(set) var journey: OpenJourney?
  public internal(set) var groups: [GroupStatus]
  /// Never later than what is due next.
  public internal(set) var checkAt: Instant?
  /// How the user gets on with the journey.
  public internal(set) var progress: JourneyProgress
  /// When the user arrives if they go on as in the last minutes. It decides nothing.
  public internal(set) var estimatedAt: Instant?
  /// The places that the user named.
  public internal(set) var places: [Geofence]
  public internal(set) var recentReports: RecentReports
  public internal(set) var phoneClock: PhoneClock
  public internal(set) var pathDays: PathDays

  // What is to be stored beside the row.
  public internal(set) var pathPoints: [RecordedFix] = []
  /// Positions from before the current one that belong to no journey in progress, but perhaps to one that is over.
  public internal(set) var lateFixes: [RecordedFix] = []
  /// Positions that would be on a path, but are beyond the user's quota.
  var unkeptPoints = 0
  /// Whether positions were reported to some groups alone, so that one of its path may be reported to others now.
  public internal(set) var isDivided: Bool
  public internal(set) var news: [TrackerNews] = []
  public internal(set) var end: JourneyEnd?
  /// Groups that see the alert in progress from now on.
  public internal(set) var addedToAlert: [GroupID] = []
  /// What groups see change, in order: of states and positions the last one for each group, however many reports and steps there were.
  public private(set) var changes: [GroupChange] = []
  /// Where in ``changes`` the state or position is that a group, by its place, sees.
  private var shown: [Int: Int] = [:]
  /// Whether the row differs from the stored one.
  public internal(set) var isChanged = false
  /// The groups whose status differs from the stored one, by their places.
  public internal(set) var changedGroups: Set<Int> = []
  /// The places at which the user's presence differs from the stored one, by their places in ``places``.
  public internal(set) var changedPlaces: Set<Int> = []
  /// The places of which groups know something else than before, by their places in ``places``.
  public internal(set) var dividedPlaces: Set<Int> = []
  public internal(set) var placeNews: [PlaceNews] = []
  /// Arrivals and departures that were left out, as a report had too many.
  public internal(set) var omittedVisits = 0

  public init(
    _ userID: UserID, position: Fix? = nil, receivedAt: Instant? = nil, determinedAt: Instant? = nil,
    heardAt: Instant? = nil, isSilent: Bool = true, trail: Trail = Trail(), suspect: TrailPoint? = nil,
    journey: OpenJourney? = nil, groups: [GroupStatus] = [],
    checkAt: Instant? = nil, progress: JourneyProgress = JourneyProgress(), estimatedAt: Instant? = nil,
    places: [Geofence] = [], recentReports: RecentReports = RecentReports(), phoneClock: PhoneClock = PhoneClock(),
    pathDays: PathDays = PathDays()
  ) {
    self.userID = userID
    self.position = position
    self.receivedAt = receivedAt
    self.determinedAt = determinedAt
    self.heardAt = heardAt
    self.isSilent = isSilent
    self.trail = trail
    self.suspect = suspect
    self.journey = journey
    self.groups = groups
    self.checkAt = checkAt
    self.progress = progress
    self.estimatedAt = estimatedAt
    self.places = places
    self.recentReports = recentReports
    self.phoneClock = phoneClock
    self.pathDays = pathDays
    isDivided = groups.contains { $0.withheldSince != nil }
  }

  /// The alert that is in progress; `nil` if none is.
  public var alert: OpenJourney? { journey.flatMap { $0.plan == nil ? $0 : nil } }

  /// Whether others are shown where the user is, or will be: otherwise positions are not kept.
  public var isWatched: Bool { journey != nil || groups.contains { $0.status.isShared } }

  // MARK: Events

  /// Lets an event happen in some groups.
  ///
  /// - Parameter others: the places of groups whose members are not notified.
  mutating func apply(
    _ event: MemberEvent, in places: some Sequence<Int>, at time: Instant, butToMembersOf others: [Int] = []
  ) throws(MemberRefusal) {
    var told: [MemberNews: [GroupID]] = [:]
    for place in places {
      let (status, news) = try groups[place].status.after(event)
      if let news { told[news, default: []].append(groups[place].groupID) }
      guard status != groups[place].status else { continue }
      groups[place].status = status
      groups[place].sharedSince = status.isShared ? groups[place].sharedSince ?? time : nil
      if !status.isShared { groups[place].show() }
      changedGroups.insert(place)
    }
    guard let journey else { return }
    for (news, groupIDs) in told {
      self.news.append(
        TrackerNews(
          news: news, journeyID: journey.id, groupIDs: groupIDs, otherGroupIDs: others.map { groups[$0].groupID },
          at: time))
    }
  }

  /// As ``apply(_:in:at:)``, for what happens by itself, in all groups or in some, which is never refused.
  mutating func happen(_ event: MemberEvent, in places: [Int]? = nil, at time: Instant) {
    do { try apply(event, in: places ?? Array(groups.indices), at: time) } catch {
      preconditionFailure("\(event) is for users to do")
    }
  }

  /// Records that groups see a change: `state` where the status changed since the last call, and `otherwise` where it did not.
  mutating func tellGroups(otherwise: ChangeKind?, since before: [GroupStatus], in places: some Sequence<Int>) {
    for place in places {
      let (now, then) = (groups[place].status, before[place].status)
      guard let kind = now != then ? .state : (now.isShared ? otherwise : nil) else { continue }
      show(kind, to: place)
    }
  }

  /// Records that a group sees the state or position as it is now.
  mutating func show(_ kind: ChangeKind, to place: Int) {
    guard let known = shown[place] else {
      shown[place] = changes.count
      return changes.append(change(kind, in: groups[place]))
    }
    changes[known] = change(changes[known].kind == .state ? .state : kind, in: groups[place])
  }

  /// Records that groups see something besides.
  mutating func show(_ change: GroupChange) { changes.append(change) }

  private func change(_ kind: ChangeKind, in group: GroupStatus) -> GroupChange {
    let isSeen = group.status.isOnJourney || group.status.state == .sos
    let estimate = group.withheldSince == nil ? estimatedAt : nil
    return GroupChange(
      kind, of: userID, in: group.groupID, state: group.status.state, warnings: group.status.warnings,
      position: group.status.isShared && group.status.state != .inactive ? positionSeen(in: group) : nil,
      journeyID: isSeen ? journey?.id : nil,
      arrival: isSeen
        ? journey?.plan.map { ExpectedArrival(promisedAt: $0.arrivalAt, estimatedAt: estimate) } : nil)
  }

  /// The position that a group sees; `nil` if none, or if it is the one that the group has been seeing.
  func positionSeen(in group: GroupStatus) -> Fix? { isCurrent(in: group) ? position : group.keptPosition }

  /// Whether the position is from since the user has shared with the group ([TR-1]); in an alert, whether it arrived since then, as then any
  /// position may help; and whether it was reported to the group ([TR-2]). The snapshot of a view decides alike.
  func isCurrent(in group: GroupStatus) -> Bool {
    guard group.withheldSince == nil, let since = group.sharedSince,
      let moment = group.status.state == .sos ? receivedAt : determinedAt
    else { return false }
    return moment >= since
  }

  // MARK: Times

  /// After how long without a position a user is offline ([TR-10]).
  public static let silence = Duration.seconds(60)

  /// When something is due next, if nothing happens before; `nil` if nothing can be.
  ///
  /// - Parameter servingSince: since when positions could arrive; `nil` if that is not known, which makes it earlier.
  public func dueAt(servingSince: Instant?) -> Instant? {
    var moments: [Instant] = []
    if !isSilent, groups.contains(where: { $0.status.isShared }), let heardAt {
      moments.append(max(heardAt, servingSince ?? heardAt) + Self.silence)
      for group in groups where group.status.state == .active {
        if let last = group.withheldSince { moments.append(max(last, servingSince ?? last) + Self.silence) }
      }
    }
    if let plan = journey?.plan {
      if groups.contains(where: { $0.status.isOnJourney && !$0.status.warnings.contains(.late) }) {
        moments.append(plan.arrivalAt)
      }
      if !isSilent, let stop = trail.stopsAt { moments.append(stop) }
    }
    return moments.min()
  }

  /// Keeps the moment of the next look if it is early enough.
  mutating func schedule() {
    let due = dueAt(servingSince: nil)
    if due == nil || checkAt.map({ $0 > due ?? $0 }) ?? true { checkAt = due }
  }

  /// Notices what is due ([TR-8], [TR-9], [TR-10]): each once, however often it is called.
  ///
  /// - Parameter servingSince: since when positions could arrive: time before it does not count as silence.
  public mutating func passTime(to now: Instant, servingSince: Instant) {
    let before = groups
    if let plan = journey?.plan {
      if now >= plan.arrivalAt { happen(.arrivalTimePassed, at: now) }
      if !isSilent, trail.notice(at: now) {
        estimatedAt = nil
        happen(.stoodStill, at: now)
      }
    }
    if !isSilent, let heardAt, max(heardAt, servingSince) + Self.silence <= now {
      isSilent = true
      estimatedAt = nil
      happen(.fellSilent, at: heardAt)
    }
    // Who reports to other groups alone has not gone offline on a journey, but shares no position for the time being.
    let unheard = groups.indices.filter { place in
      groups[place].status.state == .active
        && groups[place].withheldSince.map { max($0, servingSince) + Self.silence <= now } ?? false
    }
    if !unheard.isEmpty { happen(.fellSilent, in: unheard, at: now) }
    tellGroups(otherwise: nil, since: before, in: groups.indices)
    checkAt = dueAt(servingSince: servingSince)
    isChanged = true
  }
}
