import CStacks
import Glibc

/// The stacks of all threads of this process.
struct ThreadStacks {
  /// One thread.
  struct Thread {
    /// The kernel's thread id.
    let id: Int32
    /// As `/proc` shows it, 15 characters at most.
    let name: String
    /// One line per call, the innermost first, as `program(symbol+0x1a2b)`; where no symbol is known the offset is what
    /// `addr2line -e` takes. Empty when the thread did not answer: on a busy machine, or a thread of Dispatch, which
    /// takes no signals.
    let calls: [String]
  }

  /// Milliseconds that one thread may take to answer.
  private static let answerTime: Int32 = 200
  /// Milliseconds that the thread of an event loop may take: it is what the log is for, and the first to answer loads what unwinding needs.
  private static let answerTimeOfLoop: Int32 = 3_000
  private static let loopName = "NIO-ELT"
  private static let deepest: Int32 = 64

  /// Installs a signal handler for asking threads, and loads what unwinding needs. Once, before anything hangs.
  ///
  /// - Returns: whether threads can be asked.
  static func prepare() -> Bool { tandem_stacks_prepare() == 0 }

  /// Asks one thread after the other, those of event loops first, the caller's own left out. One caller at a time, after ``prepare()``.
  static func all() -> [Thread] {
    let own = tandem_own_thread()
    let named = threads().filter { $0 != own }.map { (id: $0, name: name(of: $0)) }
    let (others, loops) = (named.filter { !$0.name.hasPrefix(loopName) }, named.filter { $0.name.hasPrefix(loopName) })
    return loops.map { Thread(id: $0.id, name: $0.name, calls: calls(of: $0.id, within: answerTimeOfLoop)) }
      + others.map { Thread(id: $0.id, name: $0.name, calls: calls(of: $0.id, within: answerTime)) }
  }

  private static func threads() -> [Int32] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var ids: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let id = Int32(name) { ids.append(id) }
    }
    return ids.sorted()
  }

  private static func name(of thread: Int32) -> String {
    guard let file = fopen("/proc/self/task/\(thread)/comm", "re") else { return "" }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 32)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func calls(of thread: Int32, within time: Int32) -> [String] {
    var frames = [UnsafeMutableRawPointer?](repeating: nil, count: Int(deepest))
    let count = tandem_stack_of_thread(thread, &frames, deepest, time)
    return frames.prefix(Int(count)).compactMap(\.self).map(place)
  }

  private static func place(_ address: UnsafeMutableRawPointer) -> String {
    var text = [CChar](repeating: 0, count: 512)
    tandem_describe_address(address, &text, Int32(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
