import FileUploads
import Identifiers
import TTRPC
import TandemImporter
import TestServices
import TestSupport

extension RunningImporter {
  /// Uploads a file in chunks.
  func importFile(
    _ file: [UInt8], onFault: OnFault = .unspecified, zone: String = "", as user: TestUser = .ada, chunk: Int = 65_536
  ) async throws -> FileImport {
    let chunks = stride(from: 0, to: file.count, by: chunk).lazy.map { start in
      Array(file[start..<min(start + chunk, file.count)])
    }
    return try await activities.importFile(
      first: ImportFileRequest(onFault: onFault, timeZone: zone), chunks, user.options)
  }

  func listed(_ user: TestUser = .ada) async throws -> [Activity] {
    try await activities.listActivities(ListActivitiesRequest(pageSize: 200), user.options).activities
  }
}

extension ActivitiesClient {
  /// Uploads what `send` sends, whatever the server allows.
  func importFile(
    heedlessly send: (RequestWriter<ImportFileRequest>) async throws -> Void, _ options: CallOptions
  ) async throws -> FileImport {
    try await importFile(options) { writer, responses in
      try await send(writer)
      writer.finish()
      for try await response in responses { if case .result(let result) = response.step { return result } }
      throw UploadWithoutResult()
    }
  }
}

/// Files of outings that were never made.
enum MadeFile {
  /// A run along a street, northwards from 51.5° at 3 m/s with a point each ten seconds.
  static func gpx(
    points: Int = 120, at start: Instant = Instant(microseconds: 1_750_000_000_000_000), latitude: Double = 51.5,
    longitude: Double = -0.12, sport: String = "running"
  ) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Test watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Street &amp; park</name>
      <type>\(sport)</type><trkseg>
      """
    for index in 0..<points {
      let moment = start + .seconds(index * 10)
      text += "<trkpt lat=\"\(latitude + Double(index) * 0.00027)\" lon=\"\(longitude)\"><ele>\(10 + index / 10)</ele>"
      text += "<time>\(moment)</time><extensions><hr>\(120 + index % 20)</hr></extensions></trkpt>\n"
    }
    return Array((text + "</trkseg></trk></gpx>").utf8)
  }
}
