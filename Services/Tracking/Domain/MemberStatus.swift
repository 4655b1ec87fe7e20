/// What happens to a member, as far as a group is concerned.
public enum MemberEvent: Sendable, Hashable, CaseIterable {
  case sharingStarted
  case sharingStopped
  case journeyStarted
  case journeyStopped
  case arrivedOnTime
  case arrivedLate
  case sosStarted
  case sosStopped
  /// A position arrived, away from where the member stood still.
  case moved
  /// A position arrived where the member stands still.
  case stayed
  /// The member has just been found to stand still.
  case stoodStill
  /// The promised time has passed.
  case arrivalTimePassed
  /// No position has arrived for a minute.
  case fellSilent
}

/// What the members of a group are notified of.
public enum MemberNews: Sendable, Hashable, CaseIterable {
  /// "{name} triggered an SOS alert!"
  case sosStarted
  /// "{name}: SOS alarm stopped!"
  case sosStopped
  /// "{name} started a journey"
  case journeyStarted
  /// "{name}'s journey ended"
  case journeyEnded
  /// "{name} has reached their destination on time."
  case arrivedOnTime
  /// "{name} has reached their destination late."
  case arrivedLate
  /// "{name} has been stuck in the same position for a while."
  case standingStill
  /// "{name} has not reached their destination as expected, yet."
  case notArrived
  /// "{name} went offline!", on a journey.
  case wentOffline
  /// "{name} went offline!", in SOS.
  case wentOfflineInSOS
}

/// Why something cannot happen now.
public enum MemberRefusal: Error, Sendable, Hashable {
  case inSOS
  case onAJourney
  case notOnAJourney
  case notInSOS
  /// The user is no member of the group, or the group does not see what it is about.
  case noSuchGroup
}

/// A member in a group. Everything that can happen to it is decided here ([TR-1], [TR-3], [TR-5] to [TR-10]).
public struct MemberStatus: Sendable, Hashable {
  public let state: MemberState
  /// Not empty in `warning`; in `sos` ``Warnings/offline`` at most; else empty.
  public let warnings: Warnings
  /// Whether the group sees positions that arrive: `inactive` may mean that none does.
  public let isShared: Bool

  public init(_ state: MemberState, warnings: Warnings = [], isShared: Bool) {
    (self.state, self.warnings, self.isShared) = (state, warnings, isShared)
  }

  /// Of a member who shares nothing.
  public static let unshared = MemberStatus(.inactive, isShared: false)

  /// Whether the group sees the member on a journey.
  public var isOnJourney: Bool { state == .routing || state == .warning }

  /// The status after an event, and what the group is notified of.
  ///
  /// - Throws: the refusal, for what users do. What happens by itself never throws: it changes nothing where it means nothing.
  public func after(_ event: MemberEvent) throws(MemberRefusal) -> (status: MemberStatus, news: MemberNews?) {
    switch event {
    case .sharingStarted:
      (state == .inactive ? .shared(.active) : .init(state, warnings: warnings, isShared: true), nil)
    case .sharingStopped: try stopped()
    case .journeyStarted: try departed()
    case .journeyStopped: try ended(.journeyEnded)
    case .arrivedOnTime: try ended(.arrivedOnTime)
    case .arrivedLate: try ended(.arrivedLate)
    case .sosStarted: state == .sos ? (self, nil) : (.shared(.sos), .sosStarted)
    case .sosStopped: try calmed()
    case .moved: (updated(without: [.offline, .standingStill]), nil)
    case .stayed: (updated(without: .offline), nil)
    case .stoodStill: warned(.standingStill, .standingStill)
    case .arrivalTimePassed: warned(.late, .notArrived)
    case .fellSilent: silenced()
    }
  }

  private static func shared(_ state: MemberState) -> MemberStatus { MemberStatus(state, isShared: true) }

  private func stopped() throws(MemberRefusal) -> (MemberStatus, MemberNews?) {
    guard state != .sos else { throw .inSOS }
    return (.unshared, nil)
  }

  private func departed() throws(MemberRefusal) -> (MemberStatus, MemberNews?) {
    guard state != .sos else { throw .inSOS }
    guard !isOnJourney else { throw .onAJourney }
    return (.shared(.routing), .journeyStarted)
  }

  private func ended(_ news: MemberNews) throws(MemberRefusal) -> (MemberStatus, MemberNews?) {
    guard isOnJourney else { throw .notOnAJourney }
    return (.shared(.active), news)
  }

  private func calmed() throws(MemberRefusal) -> (MemberStatus, MemberNews?) {
    guard state == .sos else { throw .notInSOS }
    return (.shared(.active), .sosStopped)
  }

  private func updated(without ended: Warnings) -> MemberStatus {
    switch state {
    case .routing: return self
    case .sos: return .shared(.sos)
    case .warning:
      let left = warnings.subtracting(ended)
      return left.isEmpty ? .shared(.routing) : MemberStatus(.warning, warnings: left, isShared: true)
    case .active, .inactive: return isShared ? .shared(.active) : self
    }
  }

  private func warned(_ warning: Warnings, _ news: MemberNews) -> (MemberStatus, MemberNews?) {
    guard isOnJourney, !warnings.contains(warning) else { return (self, nil) }
    return (MemberStatus(.warning, warnings: warnings.union(warning), isShared: true), news)
  }

  private func silenced() -> (MemberStatus, MemberNews?) {
    switch state {
    case .sos where warnings.isEmpty: (MemberStatus(.sos, warnings: .offline, isShared: true), .wentOfflineInSOS)
    case .sos: (self, nil)
    case .routing, .warning: warned(.offline, .wentOffline)
    case .active, .inactive: (MemberStatus(.inactive, isShared: isShared), nil)
    }
  }
}
