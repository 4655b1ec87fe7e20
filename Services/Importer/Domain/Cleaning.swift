import Identifiers

// What is stored is checked here, whichever provider or file it comes from: sources are not trusted.

/// The bounds of what a tracker can measure.
package enum Plausible {
  /// 1900 to 2200: clocks that were never set are kept, numbers that are no times are not.
  package static let times =
    Instant(microseconds: -2_208_988_800_000_000)..<Instant(microseconds: 7_258_118_400_000_000)
  /// The same of days.
  package static let days = CivilDate(daysSince1970: -25_567)..<CivilDate(daysSince1970: 84_006)
  /// A year, in seconds.
  package static let duration = 0.0...31_622_400
  /// Half as much again as around the Earth, in metres.
  package static let distance = 0.0...60_000_000
  package static let energyKilocalories = 0.0...1_000_000
  package static let heartRate = 1.0...300
  package static let ascentMetres = 0.0...100_000
  package static let steps: ClosedRange<Int64> = 0...1_000_000
  package static let kilograms = 0.5...700
  package static let textLength = 200
  package static let rawLength = 1 << 20
}

extension ImportedActivity {
  /// The record without what cannot be; `nil` if nothing is left of it.
  package var cleaned: ImportedActivity? {
    guard Plausible.times.contains(startedAt), durationSeconds.isFinite, !provider.isEmpty, !externalID.isEmpty
    else { return nil }
    var clean = self
    clean.durationSeconds = min(max(durationSeconds, 0), Plausible.duration.upperBound)
    clean.movingSeconds = movingSeconds.within(Plausible.duration)
    clean.distanceMetres = distanceMetres.within(Plausible.distance)
    clean.energyKilocalories = energyKilocalories.within(Plausible.energyKilocalories)
    clean.heartRateAverage = heartRateAverage.within(Plausible.heartRate)
    clean.heartRateMaximum = heartRateMaximum.within(Plausible.heartRate)
    clean.ascentMetres = ascentMetres.within(Plausible.ascentMetres)
    clean.externalID = externalID.cut
    clean.timeZone = timeZone.cut.isEmpty ? "UTC" : timeZone.cut
    clean.title = title.shown.cut
    clean.device = device.shown.cut
    clean.raw = raw.storable
    clean.track = track.flatMap { $0.points.isEmpty ? nil : $0.storable }
    return clean
  }
}

extension Track {
  /// The track, with every other point, every third and so on left out if it has more than can be stored.
  package var storable: Track {
    guard points.count > TrackCodec.maxPoints else { return self }
    let step = (points.count + TrackCodec.maxPoints - 1) / TrackCodec.maxPoints
    return Track(points: stride(from: 0, to: points.count, by: step).map { points[$0] })
  }
}

extension ImportedSleep {
  /// The record without what cannot be; `nil` if nothing is left of it.
  package var cleaned: ImportedSleep? {
    guard Plausible.times.contains(startedAt), Plausible.times.contains(endedAt), startedAt <= endedAt,
      asleepSeconds.isFinite, asleepSeconds >= 0, !externalID.isEmpty
    else { return nil }
    var clean = self
    clean.externalID = externalID.cut
    clean.timeZone = timeZone.cut.isEmpty ? "UTC" : timeZone.cut
    clean.raw = raw.storable
    return clean
  }
}

extension ImportedBatch {
  /// The records without what cannot be; of records with one id the last stays.
  package var cleaned: ImportedBatch {
    var batch = ImportedBatch(
      activities: activities.compactMap(\.cleaned).lastOfEach { "\($0.provider) \($0.externalID)" },
      steps: steps.compactMap(\.cleaned).lastOfEach { "\($0.provider) \($0.day)" },
      sleeps: sleeps.compactMap(\.cleaned).lastOfEach { "\($0.provider) \($0.externalID)" },
      weights: weights.compactMap(\.cleaned).lastOfEach { "\($0.provider) \($0.measuredAt.microseconds)" })
    batch.compositions = compositions.filter {
      Plausible.times.contains($0.measuredAt) && Optional($0.raw).storable != nil
    }
    .lastOfEach { "\($0.provider) \($0.measuredAt.microseconds)" }
    return batch
  }
}

extension ImportedSteps {
  /// The record without what cannot be; `nil` if nothing is left of it.
  package var cleaned: ImportedSteps? {
    guard Plausible.steps.contains(steps), Plausible.days.contains(day) else { return nil }
    return ImportedSteps(provider: provider, day: day, steps: steps, raw: raw.storable)
  }
}

extension ImportedWeight {
  /// The record without what cannot be; `nil` if nothing is left of it.
  package var cleaned: ImportedWeight? {
    guard Plausible.times.contains(measuredAt), Plausible.kilograms.contains(kilograms) else { return nil }
    return ImportedWeight(provider: provider, measuredAt: measuredAt, kilograms: kilograms, raw: raw.storable)
  }
}

extension Double? {
  fileprivate func within(_ range: ClosedRange<Double>) -> Double? { flatMap { range.contains($0) ? $0 : nil } }
}

extension String {
  /// Without controls, and without the marks that turn the text beside them around.
  fileprivate var shown: String {
    func isShown(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory != .control
        && !("\u{202A}"..."\u{202E}").contains(scalar) && !("\u{2066}"..."\u{2069}").contains(scalar)
    }
    return unicodeScalars.allSatisfy(isShown) ? self : String(String.UnicodeScalarView(unicodeScalars.filter(isShown)))
  }

  /// What a column can hold.
  fileprivate var cut: String {
    let isFit = utf8.count <= Plausible.textLength && !utf8.contains(0)
    return isFit
      ? self : String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" }.prefix(Plausible.textLength)))
  }
}

extension String? {
  /// What a column can hold; raw records that are too long are left out.
  fileprivate var storable: String? {
    flatMap { $0.utf8.count <= Plausible.rawLength && !$0.utf8.contains(0) ? $0 : nil }
  }
}

extension Array {
  /// The last element of each key, in the order of the first ones.
  fileprivate func lastOfEach(_ key: (Element) -> String) -> [Element] {
    var (places, kept): ([String: Int], [Element]) = ([:], [])
    for element in self {
      if let place = places[key(element)] {
        kept[place] = element
      } else {
        places[key(element)] = kept.count
        kept.append(element)
      }
    }
    return kept
  }
}
