import Geography
import Identifiers
import ImporterDomain
import SeededNumbers

/// Pairs of reports that are hard to tell: made of one recording, with errors of clocks, receivers and people ([IM-8]).
struct HardPairs {
  typealias Make = @Sendable (ImportedActivity, inout SplitMix) -> (ImportedActivity, ImportedActivity)

  let name: String
  let isSame: Bool
  let pair: Make

  static let kinds: [HardPairs] = [
    HardPairs(name: "clock 3 to 9 min off, another device", isSame: true) { one, numbers in
      (one, device(one, &numbers).moved(sign(&numbers) * within(180...540, &numbers)))
    },
    HardPairs(name: "-1 h on another device, 0 to 6 s off", isSame: true) { one, numbers in
      (one, device(one, &numbers).moved(-3_600 + within(-6...6, &numbers)))
    },
    HardPairs(name: "whole hours off, both ends trimmed", isSame: true) { one, numbers in
      let hours = (within(1...9, &numbers)).rounded() * sign(&numbers)
      return (
        one,
        device(one, &numbers).cropped(within(0.02...0.12, &numbers), within(0.88...0.98, &numbers)).moved(hours * 3_600)
      )
    },
    HardPairs(name: "a clock that drifts 1 to 4 min within the recording", isSame: true) { one, numbers in
      let change = within(60...240, &numbers) * sign(&numbers)
      let other = device(one, &numbers).paced(1 + change / max(one.durationSeconds, 1_200))
      return (one, other.moved(within(-60...60, &numbers)))
    },
    HardPairs(name: "a clock that is set right by 1 to 4 min on the way", isSame: true) { one, numbers in
      let (change, place) = (within(60...240, &numbers), within(0.3...0.7, &numbers))
      return (one, device(one, &numbers).stepped(by: change, at: place))
    },
    HardPairs(name: "both ends trimmed on both", isSame: true) { one, numbers in
      (one.cropped(0, within(0.7...0.9, &numbers)), device(one, &numbers).cropped(within(0.1...0.25, &numbers), 1))
    },
    HardPairs(name: "first half of it", isSame: true) { one, numbers in
      (one, device(one, &numbers).cropped(0, within(0.4...0.6, &numbers)))
    },
    HardPairs(name: "second half of it", isSame: true) { one, numbers in
      (one, device(one, &numbers).cropped(within(0.4...0.6, &numbers), 1))
    },
    HardPairs(name: "foot pod, 20 to 45 % too far, without positions", isSame: true) { one, numbers in
      var pod = one
      pod.track = nil
      pod.distanceMetres = (one.distanceMetres ?? one.track?.lengthMetres ?? 0) * within(1.2...1.45, &numbers)
      return (one, pod.moved(within(-20...20, &numbers)))
    },
    HardPairs(name: "ski tour as hike", isSame: true) { one, numbers in
      (one.called(.ski), device(one, &numbers).called(.hike))
    },
    HardPairs(name: "walk as ride", isSame: true) { one, numbers in
      (one.called(.walk), device(one, &numbers).called(.ride))
    },
    HardPairs(name: "another pace 1 to 9 h later, the same way", isSame: false) { one, numbers in
      let hours = (within(1...9, &numbers)).rounded()
      let slower = device(one, &numbers).paced(within(1.06...1.3, &numbers))
      return (one, slower.moved(max(hours * 3_600, slower.durationSeconds + 600)))
    },
    HardPairs(name: "the way back, whole hours later", isSame: false) { one, numbers in
      let back = device(one, &numbers).reversed
      return (one, back.moved((one.durationSeconds / 3_600).rounded(.up) * 3_600))
    },
    HardPairs(name: "standing still at the same place, whole hours later", isSame: false) { one, numbers in
      (
        still(one, &numbers),
        still(one, &numbers).moved(within(1...11, &numbers).rounded() * 3_600 + one.durationSeconds)
      )
    },
    HardPairs(name: "elsewhere at the same time", isSame: false) { one, numbers in
      (one, device(one, &numbers).shiftedNorth(within(0.02...0.2, &numbers)))
    },
    HardPairs(name: "the same way right afterwards", isSame: false) { one, numbers in
      (
        one,
        device(one, &numbers).paced(within(0.9...1.1, &numbers)).moved(one.durationSeconds + within(30...300, &numbers))
      )
    },
  ]

  /// Several reports of one user, one after the other, and which of them belong together.
  struct Series {
    let name: String
    let isSame: Bool
    let reports: @Sendable (ImportedActivity, inout SplitMix) -> [ImportedActivity]
  }

  /// Recordings that were split: all reports are of one activity, or each is of another.
  static let series: [Series] = [
    Series(name: "the whole, then its two halves of another device", isSame: true) { one, numbers in
      let halves = halves(one, &numbers)
      return [one, halves.0, halves.1]
    },
    Series(name: "two halves of another device, then the whole", isSame: true) { one, numbers in
      let halves = halves(one, &numbers)
      return [halves.0, halves.1, one]
    },
    Series(name: "the second half, the whole, the first half", isSame: true) { one, numbers in
      let halves = halves(one, &numbers)
      return [halves.1, one, halves.0]
    },
    Series(name: "two halves that nothing covers", isSame: false) { one, numbers in
      let halves = halves(one, &numbers)
      return [halves.0, halves.1]
    },
    Series(name: "three times the same way, one after the other", isSame: false) { one, numbers in
      (0..<3).map { round in
        device(one, &numbers).paced(within(0.95...1.05, &numbers)).moved(
          Double(round) * (one.durationSeconds * 1.1 + 60))
      }
    },
  ]

  /// The two parts of a recording that was ended and begun anew, up to two minutes later.
  private static func halves(
    _ one: ImportedActivity, _ numbers: inout SplitMix
  ) -> (ImportedActivity, ImportedActivity) {
    let cut = within(0.35...0.65, &numbers)
    let gap = within(0...120, &numbers) / max(one.durationSeconds, 1_200)
    return (device(one, &numbers).cropped(0, cut), device(one, &numbers).cropped(cut + gap, 1))
  }

  private static func within(_ range: ClosedRange<Double>, _ numbers: inout SplitMix) -> Double {
    Double.random(in: range, using: &numbers)
  }

  private static func sign(_ numbers: inout SplitMix) -> Double { Bool.random(using: &numbers) ? 1 : -1 }

  /// As another receiver would have recorded it: an error of some metres that wanders, and another choice of samples.
  private static func device(_ one: ImportedActivity, _ numbers: inout SplitMix) -> ImportedActivity {
    var (north, east) = (0.0, 0.0)
    var kept: [TrackPoint] = []
    for (place, point) in (one.track?.points ?? []).enumerated() {
      north = 0.9 * north + within(-1.5e-5...1.5e-5, &numbers)
      east = 0.9 * east + within(-1.5e-5...1.5e-5, &numbers)
      guard place % 3 != 1 else { continue }
      var point = point
      point.position = point.position.flatMap {
        GeoPoint(latitude: $0.latitude + north, longitude: $0.longitude + east)
      }
      kept.append(point)
    }
    var other = one
    other.track = Track(points: kept)
    return other
  }

  private static func still(_ one: ImportedActivity, _ numbers: inout SplitMix) -> ImportedActivity {
    guard let place = one.track?.points.lazy.compactMap(\.position).first else { return one }
    var other = one
    let points = (one.track?.points ?? []).map { point in
      var point = point
      point.position = GeoPoint(
        latitude: place.latitude + within(-2e-4...2e-4, &numbers),
        longitude: place.longitude + within(-2e-4...2e-4, &numbers))
      return point
    }
    other.track = Track(points: points)
    other.distanceMetres = nil
    return other
  }
}

extension ImportedActivity {
  fileprivate func moved(_ seconds: Double) -> ImportedActivity {
    var other = self
    other.startedAt = startedAt + .seconds(seconds)
    return other
  }

  fileprivate func called(_ sport: Sport) -> ImportedActivity {
    var other = self
    other.sport = sport
    return other
  }

  fileprivate func with(_ points: [TrackPoint]) -> ImportedActivity {
    guard let first = points.first, let last = points.last, points.count >= 2 else { return self }
    var other = self
    other.track = Track(
      points: points.map { point in
        var point = point
        point.elapsedSeconds -= first.elapsedSeconds
        return point
      })
    other.startedAt = startedAt + .seconds(first.elapsedSeconds)
    other.durationSeconds = last.elapsedSeconds - first.elapsedSeconds
    if other.track?.hasPositions == true { other.distanceMetres = other.track?.lengthMetres }
    return other
  }

  fileprivate func cropped(_ from: Double, _ to: Double) -> ImportedActivity {
    let length = track?.points.last?.elapsedSeconds ?? 0
    return with((track?.points ?? []).filter { (from * length...to * length).contains($0.elapsedSeconds) })
  }

  /// With a clock that is set forward on the way.
  fileprivate func stepped(by seconds: Double, at share: Double) -> ImportedActivity {
    let length = track?.points.last?.elapsedSeconds ?? 0
    return with(
      (track?.points ?? []).map { point in
        var point = point
        if point.elapsedSeconds > share * length { point.elapsedSeconds += seconds }
        return point
      })
  }

  fileprivate func paced(_ factor: Double) -> ImportedActivity {
    with(
      (track?.points ?? []).map { point in
        var point = point
        point.elapsedSeconds *= factor
        return point
      })
  }

  fileprivate var reversed: ImportedActivity {
    let points = track?.points ?? []
    let length = points.last?.elapsedSeconds ?? 0
    return with(
      points.reversed().map { point in
        var point = point
        point.elapsedSeconds = length - point.elapsedSeconds
        return point
      })
  }

  fileprivate func shiftedNorth(_ degrees: Double) -> ImportedActivity {
    with(
      (track?.points ?? []).map { point in
        var point = point
        point.position = point.position.flatMap {
          GeoPoint(latitude: $0.latitude > 0 ? $0.latitude - degrees : $0.latitude + degrees, longitude: $0.longitude)
        }
        return point
      })
  }
}
