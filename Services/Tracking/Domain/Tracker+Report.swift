import Geography
import Identifiers

extension Tracker {
  /// How near a destination is reached, beside a fix's accuracy; [TR-7].
  public static let arrivalRadius = Metres(10)
  /// Metres: what a fix's accuracy adds to the radius at most.
  public static let maxAccuracyAdded = 25.0
  /// Metres: a worse fix proves neither an arrival nor a stop.
  public static let worstAccuracyOfProof = 100.0

  /// Takes reported positions ([TR-2]), in any order; none makes others fail.
  ///
  /// - Parameters:
  ///   - named: the groups that see them, of those that the user shares with; `nil` for all. In an alert all see them, whichever are named.
  ///   - startsAlert: whether it came with the alert, which all groups see with it, whether or not it was reported before ([TR-5]).
  ///   - radius: how near a destination is reached.
  public mutating func report(
    _ points: [ReportedPoint], to named: Set<GroupID>? = nil, startsAlert: Bool = false, at clock: Instant,
    arrivalWithin radius: Metres = Tracker.arrivalRadius
  ) -> ReportCounts {
    let now = notBefore(clock)
    var counts = ReportCounts()
    let before = groups
    let (told, unkept) = (placeNews.count, unkeptPoints)
    var phone = phoneClock
    let times = phone.read(points, at: now, alertSince: alert?.startedAt)
    let fixes = usable(points, by: times, &counts)
    guard isWatched else {
      counts.accepted = fixes.count
      return counts
    }
    isChanged = isChanged || phone != phoneClock
    phoneClock = phone
    let audience = alert == nil ? named : nil
    let (reached, others) = divided(by: audience)
    let kept = others.map { positionSeen(in: groups[$0]) }
    let lastHeardAt = heardAt ?? now
    let isNew = recentReports.add(points, to: audience)
    let currentTime = [position?.time, fixes.last { $0.point == position?.point }?.time].compactMap(\.self).max()
    var last: Instant?
    for (place, fix) in fixes.enumerated() {
      if startsAlert {
        counts.accepted += 1
        move(to: fix, for: nil, arrivalWithin: radius)
        recordAtStart(of: fix)
      } else if fix.time == last || fix.time == position?.time {
        counts.duplicate += 1
      } else if !isNew {
        countAgain(fix, upTo: currentTime, &counts)
      } else if alert != nil, place == fixes.count - 1 {
        // In an alert the time of the arrival decides alone what is seen.
        counts.accepted += 1
        move(to: fix, for: audience, arrivalWithin: radius)
      } else if let position, fix.time < position.time {
        counts.outOfOrder += 1
        if !record(fix, for: audience) { recordLate(fix, for: named) }
      } else if alert == nil, isTooFast(fix) {
        counts.tooFast += 1
      } else {
        counts.accepted += 1
        move(to: fix, for: audience, arrivalWithin: radius)
      }
      last = fix.time
    }
    var revealed: [Int] = []
    if counts.accepted > 0 {
      determinedAt = moment(by: times)
      for place in reached where groups[place].withheldSince != nil { showPosition(to: place) }
      for (place, fix) in zip(others, kept) where groups[place].withheldSince == nil {
        groups[place].withhold(since: lastHeardAt, keeping: fix)
        changedGroups.insert(place)
      }
    } else {
      revealed = reveal(fixes, to: reached)
    }
    if counts.accepted + counts.outOfOrder > 0 || !revealed.isEmpty {
      hear(at: now, isMove: counts.accepted > 0, in: reached)
    }
    estimate(at: now)
    tellGroups(otherwise: counts.accepted > 0 ? .position : nil, since: before, in: reached)
    tellGroups(otherwise: nil, since: before, in: others)
    for place in revealed { show(.position, to: place) }
    showPlaces(since: told)
    counts.groups = groups.count { $0.status.isShared && isCurrent(in: $0) }
    counts.notKept = unkeptPoints - unkept
    schedule()
    return counts
  }

  /// The places of the groups that see a report, and of the others that the user shares with.
  private mutating func divided(by audience: Set<GroupID>?) -> (reached: [Int], others: [Int]) {
    guard let audience else { return (Array(groups.indices), []) }
    isDivided = true
    let shared = groups.indices.filter { groups[$0].status.isShared }
    return (
      shared.filter { audience.contains(groups[$0].groupID) }, shared.filter { !audience.contains(groups[$0].groupID) }
    )
  }

  /// Has a group, from which positions were withheld, see the current one.
  private mutating func showPosition(to place: Int) {
    groups[place].show()
    changedGroups.insert(place)
  }

  /// Has groups see the current position that was reported to others and is now reported to them; returns these groups' places.
  private mutating func reveal(_ fixes: [Fix], to reached: [Int]) -> [Int] {
    guard let position, fixes.contains(where: { $0.time == position.time && $0.point == position.point }) else {
      return []
    }
    let revealed = reached.filter { groups[$0].withheldSince != nil }
    guard !revealed.isEmpty else { return [] }
    for place in revealed { showPosition(to: place) }
    let audience = Set(revealed.map { groups[$0].groupID })
    _ = record(position, for: audience)
    judgePlaces(by: position, for: audience)
    return revealed
  }

  /// The present, of which another replica, whose clock is a little ahead, has stored more already: what arrives after the user began to share is not
  /// from before it.
  private func notBefore(_ clock: Instant) -> Instant {
    let latest = groups.compactMap(\.sharedSince).reduce(heardAt ?? clock) { max($0, $1) }
    return latest > clock && latest - clock <= Self.replicaSkew ? latest : clock
  }

  /// By how much the clocks of replicas differ at most.
  private static let replicaSkew = Duration.seconds(10)

  /// When the user was at the current position, which has just arrived, by the service's clock: clocks that are not known to be wrong differ a
  /// little, and networks take a moment.
  private func moment(by times: PhoneTimes) -> Instant {
    guard let time = position?.time else { return times.arrivedAt }
    let isUsual = max(times.shift, .zero - times.shift) <= PhoneClock.slack
    return isUsual && times.arrivedAt - time <= Self.usualDelay ? times.arrivedAt : time
  }

  /// How old by its own time a position may be that is where the user is now.
  private static let usualDelay = Duration.seconds(60)

  /// Counts a position of a report that was taken before. What is newer than the current one was too far away then, and is so still; in an
  /// alert nothing is too far away.
  ///
  /// - Parameter currentTime: that of the current position as the report is read now: more may be known of the phone's clock since.
  private func countAgain(_ fix: Fix, upTo currentTime: Instant?, _ counts: inout ReportCounts) {
    if alert != nil || currentTime.map({ fix.time <= $0 }) ?? false {
      counts.duplicate += 1
    } else {
      counts.tooFast += 1
    }
  }

  private func usable(_ points: [ReportedPoint], by times: PhoneTimes, _ counts: inout ReportCounts) -> [Fix] {
    var fixes: [Fix] = []
    for point in points {
      switch point.fix(by: times, isAlert: alert != nil) {
      case .success(let fix): fixes.append(fix)
      case .failure(let fault): counts.count(fault)
      }
    }
    if zip(fixes, fixes.dropFirst()).contains(where: { $0.time > $1.time }) { fixes.sort { $0.time < $1.time } }
    return fixes
  }

  /// Whether the user cannot have come from the last position. Two positions in a row that fit each other are believed, as the last
  /// one was the error then.
  private mutating func isTooFast(_ fix: Fix) -> Bool {
    guard let position else { return false }
    let known = TrailPoint(position.point, at: position.time)
    let inaccuracy = (position.accuracy ?? 0) + (fix.accuracy ?? 0)
    let next = TrailPoint(fix.point, at: fix.time)
    if known.canReach(next, inaccuracy: inaccuracy) || suspect?.canReach(next, inaccuracy: inaccuracy) == true {
      return false
    }
    suspect = next
    isChanged = true
    return true
  }

  private mutating func move(to fix: Fix, for audience: Set<GroupID>?, arrivalWithin radius: Metres) {
    let isNewer = position.map { $0.time < fix.time } ?? true
    position = fix
    suspect = nil
    if !record(fix, for: audience) && !isNewer { recordLate(fix, for: audience) }
    if isNewer { judgePlaces(by: fix, for: audience) }
    // What was recorded before the journey, and arrives late, decides nothing about it.
    guard let journey, let plan = journey.plan, fix.time >= journey.startedAt,
      fix.accuracy ?? 0 <= Self.worstAccuracyOfProof
    else { return }
    let reach = radius.value + min(fix.accuracy ?? 0, Self.maxAccuracyAdded)
    let left = plan.destination.distance(to: fix.point)
    if left.value <= reach {
      if hasSetOut(at: fix.time, on: journey) { return arrive(at: fix.time, plan) }
    } else if !progress.marks.isEmpty || left.value > reach + max(Self.surelyAway, fix.accuracy ?? 0) {
      progress.add(left, at: fix.time)
    }
    if trail.add(TrailPoint(fix.point, at: fix.time)) { happen(.stoodStill, at: fix.time) }
  }

  /// Whether the user has been away from the destination on the journey ([TR-7]): a round trip does not arrive where it begins. A user whose first
  /// position comes long after the beginning is taken to have been away.
  private func hasSetOut(at time: Instant, on journey: OpenJourney) -> Bool {
    !progress.marks.isEmpty || trail.points.isEmpty && time - journey.startedAt >= Self.beginning
  }

  /// Metres beyond a destination's reach: positions that vary are not further away.
  private static let surelyAway = 20.0
  /// For so long after a journey has begun its first position says where it begins.
  private static let beginning = Duration.seconds(120)

  /// Estimates when the user arrives; not from positions that arrived late, nor of a user who stands still.
  private mutating func estimate(at now: Instant) {
    guard journey?.plan != nil else { return }
    let isCurrent = position.map { now - $0.time <= Self.currentFor } ?? false
    estimatedAt = isCurrent && !trail.isStop ? progress.arrival : nil
  }

  /// How long a position says where a user is.
  private static let currentFor = Duration.seconds(120)

  private mutating func arrive(at time: Instant, _ plan: JourneyPlan) {
    guard let journey else { return }
    let isOnTime = time <= plan.arrivalAt
    let places = groups.indices.filter { groups[$0].status.isOnJourney }
    // Only groups that see the journey are told, so it is not refused.
    do { try apply(isOnTime ? .arrivedOnTime : .arrivedLate, in: places, at: time) } catch {
      preconditionFailure("groups that see a journey see its end")
    }
    finish(JourneyEnd(journeyID: journey.id, at: time, outcome: isOnTime ? .onTime : .late))
  }

  mutating func finish(_ end: JourneyEnd) {
    self.end = end
    journey = nil
    trail = Trail()
    (progress, estimatedAt) = (JourneyProgress(), nil)
    isChanged = true
  }

  /// Adds a position to the path of the journey or alert; returns whether it is from within it.
  private mutating func record(_ fix: Fix, for audience: Set<GroupID>?) -> Bool {
    guard let journey, fix.time >= journey.startedAt else { return false }
    let seeing = audience.map { some in
      groups.filter { $0.status.isOnJourney && some.contains($0.groupID) }.map(\.groupID)
    }
    let isForAll = seeing.map { some in some.count == groups.count { $0.status.isOnJourney } } ?? true
    if keepsPoint(at: fix.time) { pathPoints.append(RecordedFix(fix, for: isForAll ? nil : seeing)) }
    return true
  }

  /// Adds the position that came with an alert to its path, which begins with it if it was determined before.
  private mutating func recordAtStart(of fix: Fix) {
    guard let alert, fix.time < alert.startedAt else { return }
    let first = Fix(
      fix.point, at: alert.startedAt, accuracy: fix.accuracy, altitude: fix.altitude, speed: fix.speed,
      course: fix.course)
    _ = record(first, for: nil)
  }

  private mutating func recordLate(_ fix: Fix, for audience: Set<GroupID>?) {
    if keepsPoint(at: fix.time) { lateFixes.append(RecordedFix(fix, for: audience?.sorted())) }
  }

  /// Counts a position that is for a path; returns whether the user's quota has room for it.
  private mutating func keepsPoint(at time: Instant) -> Bool {
    guard pathDays.add(at: time) else {
      unkeptPoints += 1
      return false
    }
    return true
  }

  /// Notices that the user reports, to some groups.
  private mutating func hear(at now: Instant, isMove: Bool, in reached: [Int]) {
    heardAt = now
    isSilent = false
    isChanged = true
    if isMove { receivedAt = now }
    for place in reached where groups[place].withheldSince != nil {
      groups[place].withheldSince = now
      changedGroups.insert(place)
    }
    happen(trail.isStop ? .stayed : .moved, in: reached, at: now)
  }
}

extension TrailPoint {
  /// Whether a user can be there later.
  fileprivate func canReach(_ later: TrailPoint, inaccuracy: Double) -> Bool {
    let seconds = (later.time - time) / .seconds(1)
    return point.distance(to: later.point).value - inaccuracy <= seconds * ReportedPoint.fastest
  }
}
