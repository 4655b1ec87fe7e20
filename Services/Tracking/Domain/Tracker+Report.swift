import Geography
import Identifiers

extension Tracker {
  /// How near a destination is reached, beside a fix's accuracy; [TR-7].
  public static let arrivalRadius = Metres(10)
  /// Metres: what a fix's accuracy adds to the radius at most.
  public static let mostAccuracyAdded = 25.0
  /// Metres: a worse fix proves neither an arrival nor a stop.
  public static let worstAccuracyOfProof = 100.0

  /// Takes reported positions ([TR-2]), in any order; none makes others fail.
  ///
  /// - Parameter radius: how near a destination is reached.
  public mutating func report(
    _ points: [ReportedPoint], at now: Instant, arrivalWithin radius: Metres = Tracker.arrivalRadius
  ) -> ReportCounts {
    var counts = ReportCounts()
    let before = groups
    let told = placeNews.count
    let fixes = usable(points, at: now, &counts)
    guard isWatched else {
      counts.accepted = fixes.count
      return counts
    }
    let isNew = recentReports.add(points)
    let clockDelay = fixes.last.flatMap { self.clockDelay(by: $0, at: now) }
    let clock =
      fixes.last.map { compareClock(with: $0, of: points.count, behind: clockDelay, at: now) } ?? .uncertain
    var last: Instant?
    for fix in fixes {
      if fix.time == last || fix.time == position?.time {
        counts.duplicate += 1
      } else if !isNew {
        countAgain(fix, &counts)
      } else if let position, fix.time < position.time {
        counts.outOfOrder += 1
        if !record(fix, by: clock) { lateFixes.append(fix) }
      } else if isTooFast(fix) {
        counts.tooFast += 1
      } else {
        counts.accepted += 1
        move(to: fix, by: clock, arrivalWithin: radius)
      }
      last = fix.time
    }
    if counts.accepted > 0 { determinedAt = moment(clockDelay, at: now) }
    if counts.accepted + counts.outOfOrder > 0 { hear(at: now, isMove: counts.accepted > 0) }
    estimate(at: now)
    tellGroups(otherwise: counts.accepted > 0 ? .position : nil, since: before, in: groups.indices)
    showPlaces(since: told)
    counts.groups = groups.count { $0.status.isShared && isCurrent(in: $0) }
    schedule()
    return counts
  }

  /// Counts a position of a report that was taken before. What is newer than the current one was too far away then, and is so still.
  private func countAgain(_ fix: Fix, _ counts: inout ReportCounts) {
    if let position, fix.time < position.time { counts.duplicate += 1 } else { counts.tooFast += 1 }
  }

  private func usable(_ points: [ReportedPoint], at now: Instant, _ counts: inout ReportCounts) -> [Fix] {
    var fixes: [Fix] = []
    for point in points {
      switch point.fix(at: now) {
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

  private mutating func move(to fix: Fix, by clock: PhoneClock, arrivalWithin radius: Metres) {
    position = fix
    suspect = nil
    _ = record(fix, by: clock)
    judgePlaces(by: fix)
    // What was recorded before the journey, and arrives late, decides nothing about it.
    guard let plan = journey?.plan, let time = journeyTime(of: fix, by: clock),
      fix.accuracy ?? 0 <= Self.worstAccuracyOfProof
    else { return }
    let reach = radius.value + min(fix.accuracy ?? 0, Self.mostAccuracyAdded)
    let left = plan.destination.distance(to: fix.point)
    if left.value <= reach { return arrive(at: time, plan) }
    progress.add(left, at: time)
    if trail.add(TrailPoint(fix.point, at: time)) { happen(.stoodStill, at: time) }
  }

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
    phoneStartedAt = nil
    trail = Trail()
    (progress, estimatedAt) = (JourneyProgress(), nil)
    isChanged = true
  }

  /// Adds a position to the path of the journey or alert; returns whether it is from within it.
  private mutating func record(_ fix: Fix, by clock: PhoneClock) -> Bool {
    guard let time = journeyTime(of: fix, by: clock) else { return false }
    pathPoints.append(fix.at(time))
    return true
  }

  /// Notices that the user reports.
  private mutating func hear(at now: Instant, isMove: Bool) {
    heardAt = now
    isSilent = false
    isChanged = true
    if isMove { receivedAt = now }
    happen(trail.isStop ? .stayed : .moved, at: now)
  }
}

extension TrailPoint {
  /// Whether a user can be there later.
  fileprivate func canReach(_ later: TrailPoint, inaccuracy: Double) -> Bool {
    let seconds = (later.time - time) / .seconds(1)
    return point.distance(to: later.point).value - inaccuracy <= seconds * ReportedPoint.fastest
  }
}
