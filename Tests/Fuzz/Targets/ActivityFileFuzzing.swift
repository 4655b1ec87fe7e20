import ActivityFiles
import FITFormat
import FileContents

/// FIT files: a file that is cut has the messages of the whole one before the cut, and no others.
enum FITFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let whole = offsets(bytes)
    let half = bytes.count / 2
    let part = offsets(UnsafeRawBufferPointer(rebasing: bytes[..<half]))
    precondition(whole.starts(with: part), "a cut file has other messages")
    precondition(whole.allSatisfy { $0 < bytes.count }, "a message begins behind the file")
  }

  /// Where messages begin; their values are read too.
  private static func offsets(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    var (offsets, developer): ([Int], _) = ([], FITDeveloperFields())
    do throws(FITFault) {
      try FITReader.read(bytes) { message in
        offsets.append(message.offset)
        developer.add(message)
        for field in message.definition.fields {
          _ = message.number(field.number, scale: 5, offset: 500)
          _ = message.text(field.number)
          _ = message.values(of: field)
        }
        for field in message.definition.developerFields {
          _ = message.values(of: field, as: .float64)
          if let description = developer[field] { _ = message.number(of: field, description) }
        }
      }
    } catch {}
    return offsets
  }
}

/// Files of every format, and what their reader writes: what it makes of a file is decoded again.
enum ActivityFileFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let content = ActivityFile.read(MemorySource(Array(bytes)), zone: "UTC")
    guard let decoded = ContentCodec.decode(ContentCodec.encode(content), on: .assumed()) else {
      preconditionFailure("the content of a file is not decoded")
    }
    precondition(decoded.batch.activities.count == content.batch.activities.count, "activities are lost")
    _ = content.batch.cleaned
    _ = ContentCodec.decode(Array(bytes), on: .assumed())
  }
}
