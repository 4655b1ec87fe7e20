import ArgumentParser
import Identifiers

/// Which times played positions carry.
enum ReplayTimes: String, ExpressibleByArgument, CaseIterable {
  /// That at which each is due: now, for viewers.
  case live
  /// Those recorded, moved so that the last one is live.
  case recorded

  /// The time of a step of a plan that is played from `start` on.
  func time(of offset: Duration, in duration: Duration, from start: Instant, speed: Double) -> Instant {
    switch self {
    case .live: start + offset * (1 / speed)
    case .recorded: start + duration * (1 / speed) - (duration - offset)
    }
  }
}
