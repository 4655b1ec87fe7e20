import CVips
import ConfinedPrograms
import Glibc
import Images
import SystemCallFilter

/// Decodes one file and ends: `image-decoder FORMAT [optional]`, the file on its input, the renditions on its output
/// (`DecoderAnswer`).
///
/// With `optional` it also decodes on a machine whose kernel does not filter system calls (`DecoderFilter`).
///
/// The input is not trusted, nor is the process itself once it has read some of it: before the first byte it gives up
/// every right that decoding does not need.
@main
struct Program {
  /// Longer than the slowest picture takes on a slow machine.
  private static let processorSeconds = 60

  static func main() {
    exit(decode().rawValue)
  }

  private static func decode() -> DecoderAnswer.ExitCode {
    let words = CommandLine.arguments.dropFirst()
    guard let format = words.first.flatMap({ ImageFormat(rawValue: $0) }),
      let filter = words.count == 1 ? .required : words.dropFirst().first.flatMap({ DecoderFilter(rawValue: $0) }),
      words.count <= 2
    else { return .unfit }
    Confinement.beforeLibraries(memory: ImageLimits.decoderMemory, processorSeconds: processorSeconds)
    // Large pictures stay in memory, which is limited: no file can be opened.
    setenv("VIPS_DISC_THRESHOLD", "4g", 1)
    guard tandem_vips_start("image-decoder") == 0 else { return .unfit }
    guard Confinement.beforeInput(filter == .required ? .required : .optional) else { return .unfit }
    guard let file = Channel.read(atMost: ImageLimits.fileBytes) else { return .unreadable }
    do throws(DecodingRefusal) {
      let full = try Picture.full(of: file, format)
      try Channel.write(DecoderAnswer.encode(full))
      for thumbnail in try Picture.thumbnails(of: full) { try Channel.write(DecoderAnswer.encode(thumbnail)) }
      return .done
    } catch {
      // For an operator who runs it by hand; a service ignores it.
      let reasons = String(cString: vips_error_buffer())
      _ = write(STDERR_FILENO, reasons, reasons.utf8.count)
      return error.exitCode
    }
  }
}

/// Why there is no picture.
enum DecodingRefusal: Error {
  case unreadable
  case tooManyPixels

  var exitCode: DecoderAnswer.ExitCode {
    switch self {
    case .unreadable: .unreadable
    case .tooManyPixels: .tooManyPixels
    }
  }
}

/// The socket to the process that wants the picture.
enum Channel {
  /// All of the input; `nil` when it is too long.
  static func read(atMost longest: Int) -> [UInt8]? {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > longest { return nil }
    }
  }

  static func write(_ bytes: [UInt8]) throws(DecodingRefusal) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + sent }, $0.count - sent)
      }
      guard count > 0 || errno == EINTR else { throw .unreadable }
      sent += max(count, 0)
    }
  }
}
