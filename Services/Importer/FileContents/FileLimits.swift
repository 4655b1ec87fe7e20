import ImporterDomain

/// The limits of uploaded files ([IM-10]).
package enum FileLimits {
  /// Bytes of an upload.
  package static let uploadBytes = 4 << 30
  /// Bytes of one file of a single activity, also within an archive.
  package static let fileBytes = 64 << 20
  /// Bytes that an archive may unpack to.
  package static let unpackedBytes = 16 << 30
  /// How many times its own length an archive may unpack to, once it has unpacked 64 MiB: text shrinks to a twentieth at best.
  package static let unpackedRatio = 200
  /// Members of an archive.
  package static let members = 200_000
  /// Bytes of the name of a member.
  package static let nameBytes = 1_024
  /// Elements within elements.
  package static let xmlDepth = 64
  /// Bytes of the text of one element.
  package static let textBytes = 1 << 16
  /// Archives within archives.
  package static let archiveDepth = 2
  /// Bytes of one record of a JSON document.
  package static let elementBytes = 1 << 20
  /// Bytes of all records that are kept as JSON beside what is read of them.
  package static let rawBytes = 64 << 20
  /// Records that could not be read and are listed; further ones are only counted.
  package static let skippedRecords = 100
  /// Activities of a file.
  package static let activities = 50_000
  /// Nights and naps, and weighings, of a file.
  package static let measurements = 200_000
  /// Bytes of the records that are made of a file, which its samples are most of: about ten bytes for each.
  package static let recordBytes = 512 << 20
  /// Bytes of those of them that wait in the reader for the workouts of an export that they are the routes of.
  package static let routeBytes = 160 << 20
  /// Bytes of those of them that are told at a time.
  package static let partBytes = 96 << 20
  /// Points of activities of an archive that are told at a time, so that a long archive takes no more memory than a short one.
  package static let pointsAtOnce = 100_000
  /// Points of all activities that are told at a time.
  package static let recordPoints = 1_500_000
  /// Points of one activity.
  package static let points = TrackCodec.maxPoints
  /// Bytes of private memory of the process that reads.
  package static let readerMemory = 512 << 20
  /// Seconds of processor time of the process that reads.
  package static let readerSeconds = 900
}
