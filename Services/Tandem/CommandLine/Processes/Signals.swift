import CProcess
import Glibc

/// Turns signals into bytes that a loop can wait for beside its other descriptors. One to a process.
final class Signals {
  /// Readable when a signal came; does not block.
  let descriptor: CInt

  /// Takes over the signals; until the process ends nothing else happens on them.
  init(_ numbers: [CInt]) throws(Complaint) {
    let pipe = try Pipe()
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    guard tandem_write_signals(pipe.writeEnd, numbers, CInt(numbers.count)) == 0 else {
      throw Complaint("signals cannot be received: \(systemMessage())")
    }
    descriptor = pipe.readEnd
  }

  /// The signals that came since the last call, in order.
  func take() -> [CInt] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(CInt.init) : []
  }
}
