import ActivityFiles
import ConfinedPrograms
import FileContents
import Glibc
import SystemCallFilter

/// Reads one file of a tracker and ends: `activity-file-reader ZONE [optional]`, the file on its input, its records on its output
/// (`ContentCodec`). With `--samples` in place of the zone its output is the samples of a GPX file (`RecordedSamples`).
///
/// With `optional` it also works on a machine whose kernel does not filter system calls.
///
/// The input is not trusted, nor is the process itself once it has read some of it: before the first byte it gives up every right that
/// reading does not need.
@main
struct Program {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let wanted = words.first, words.count == 1 || words[1...] == ["optional"] else { exit(2) }
    // Members of archives have names in UTF-8, which libarchive leaves out where the locale cannot spell them.
    setlocale(LC_CTYPE, "C.UTF-8")
    Confinement.beforeLibraries(memory: FileLimits.readerMemory, processorSeconds: FileLimits.readerSeconds)
    guard Confinement.beforeInput(words.count == 1 ? .required : .optional) else { exit(2) }
    let isWritten =
      wanted == "--samples"
      ? Output.write(RecordedSamples.text(of: InputSource())) : Output.write(contentOf: InputSource(), zone: wanted)
    guard isWritten else { exit(3) }
    // A socket that is closed with bytes in it resets the other side, which might lose the records: what follows a fault is thrown away.
    InputSource.drain()
    exit(0)
  }
}

/// The input of this process.
struct InputSource: ByteSource {
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int {
    while true {
      let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw ActivityFileFault(.broken, "The file cannot be read", offset: 0) }
    }
  }
}

extension InputSource {
  /// Reads to the end of the input.
  static func drain() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while Glibc.read(STDIN_FILENO, &buffer, buffer.count) > 0 {}
  }
}

enum Output {
  /// Writes what a file contains, in parts while it is read; whether all was written.
  static func write(contentOf source: some ByteSource, zone: String) -> Bool {
    var isWritten = true
    let rest = ActivityFile.read(source, zone: zone) { activities in
      let part = ContentCodec.framed(activities)
      isWritten = isWritten && write(part)
      return part.count
    }
    return write(ContentCodec.framed(rest, .last)) && isWritten
  }

  /// Whether all was written.
  static func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + sent }, $0.count - sent)
      }
      guard count > 0 || errno == EINTR else { return false }
      sent += max(count, 0)
    }
    return true
  }
}
