import Environment
import Glibc
import Identifiers
import Logging
import Synchronization

/// The machine's clock, moved by what a file says, for tests of a running suite: all of its programs read the same file, and so
/// their clocks are moved together and at once.
///
/// The file has 8 bytes: the microseconds by which the clock is ahead, as a signed number in the machine's byte order.
///
/// `@unchecked Sendable`: its properties are constants. The memory behind the pointer is mapped read-only and unmapped by `deinit`, which
/// runs when no reference is left; another process writes it, and it is read as one aligned atomic number.
final class DevelopmentClock: WallClock, @unchecked Sendable {
  /// Has the database's own clock, moved as far.
  static let schema = "tandem_clock"
  /// How soon a wait notices that the clock was moved. A service has several waits at any time, and many suites may be idle beside each other.
  private static let look = Duration.milliseconds(50)
  private static let size = MemoryLayout<Int64>.size

  private let memory: UnsafeMutableRawPointer
  private let machine = SystemClock()

  /// - Throws: when the file has no 8 bytes that can be read.
  init(path: String) throws(StartupError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unusable(path, systemMessage(errno)) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size == Self.size else {
      throw Self.unusable(path, "it has not \(Self.size) bytes")
    }
    guard let memory = mmap(nil, Self.size, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
      throw Self.unusable(path, systemMessage(errno))
    }
    self.memory = memory
  }

  deinit { munmap(memory, Self.size) }

  var now: Instant {
    let ahead = memory.assumingMemoryBound(to: Atomic<Int64>.self).pointee.load(ordering: .relaxed)
    return machine.now + .microseconds(ahead)
  }

  func wait(until instant: Instant, atMost timeout: Duration) async throws {
    let end = ContinuousClock.now + timeout
    while true {
      let left = min(instant - now, end - .now)
      guard left > .zero else { return }
      // The clock is moved by writing to the file, and by nothing else.
      try await Task.sleep(for: min(left, Self.look))
    }
  }

  private static func unusable(_ path: String, _ reason: String) -> StartupError {
    StartupError(usage: "the file of development-clock, \(path), cannot be used: \(reason)")
  }
}

extension Settings {
  /// Clock and randomness: the machine's, unless `development-clock` names another clock.
  ///
  /// - Parameter addresses: where the program listens.
  /// - Throws: as ``checkClock(listening:)``, and when the file cannot be used.
  func environment(listening addresses: HostPort..., logger: Logger) throws(StartupError) -> Environment {
    guard let path = self[RuntimeSettings.developmentClock] else { return .system }
    for address in addresses { try checkClock(listening: address) }
    logger.warning("the clock is moved by a file: for tests alone", metadata: ["file": "\(path)"])
    var environment = Environment.system
    environment.clock = try DevelopmentClock(path: path)
    return environment
  }

  /// - Throws: when a clock that tests move would be that of a program which others can reach at `address`.
  func checkClock(listening address: HostPort) throws(StartupError) {
    guard self[RuntimeSettings.developmentClock] != nil, !address.isLoopback else { return }
    throw StartupError(
      usage:
        "development-clock is set, but \(address) can be reached from elsewhere: it is for tests, on loopback alone; leave it out"
    )
  }
}

extension HostPort {
  /// Whether only this machine can reach it.
  public var isLoopback: Bool {
    let isAddress = host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
    return host == "localhost" || host == "::1" || isAddress && host.hasPrefix("127.")
  }
}
