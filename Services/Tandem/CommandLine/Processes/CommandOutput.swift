import Glibc

/// The output of a program that has ended.
struct CommandOutput {
  let text: String
  let end: ProcessEnd

  /// Runs the program to its end. Blocks.
  init(running plan: ChildPlan) throws(Complaint) {
    let child = try ChildProcess(plan)
    _ = fcntl(child.output, F_SETFL, 0)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(child.output, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    end = child.reap(waiting: true) ?? .exited(0)
    text = String(decoding: bytes, as: UTF8.self)
  }
}
