import CProcess
import Glibc

/// Turns signals into bytes of a descriptor that a poll loop can wait for. One instance per process.
final class Signals {
  /// Readable after a signal; does not block.
  let descriptor: CInt

  /// Replaces the handlers of the signals until the process ends.
  init(_ numbers: [CInt]) throws(Complaint) {
    let pipe = try Pipe()
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    guard tandem_write_signals(pipe.writeEnd, numbers, CInt(numbers.count)) == 0 else {
      throw Complaint("signals cannot be received: \(systemMessage())")
    }
    descriptor = pipe.readEnd
  }

  /// The signals since the last call, in order.
  func take() -> [CInt] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(CInt.init) : []
  }
}
