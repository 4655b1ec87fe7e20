import CSocketFilter
import Glibc
import Logging
import LoopExecutor
import NIOCore

/// The port of a server, which can be closed so that clients only see that nothing listens there any more.
///
/// When a port is merely closed, the system resets every client that it connected and that was not accepted yet, or not
/// handed to its loop, with the calls sent already: their clients cannot know whether they were begun.
struct ListeningPort: Sendable {
  private let channel: any Channel
  private let group: LoopGroup
  private let logger: Logger

  /// - Parameter group: the loops that serve the port and its connections.
  init(_ channel: any Channel, _ group: LoopGroup, logger: Logger) {
    self.channel = channel
    self.group = group
    self.logger = logger
  }

  /// Refuses new clients from now on, and closes the port once every client connected before is a connection on its
  /// loop.
  ///
  /// - Throws: the system's error; `ChannelError.alreadyClosed`.
  func close() async throws {
    await letNobodyIn()
    for _ in 0..<Self.looks {
      try await channel.eventLoop.scheduleTask(in: Self.pause) {}.futureResult.get()
      // From here on no client is accepted, unless one has connected meanwhile all the same.
      guard try await ifNobodyWaits({ channel.setOption(.autoRead, value: false) }) else { continue }
      try await handOver()
      if try await ifNobodyWaits({ channel.close() }) { return }
    }
    logger.warning("the port is closed with clients that could not be accepted")
    try await channel.close()
  }

  /// Between two checks; before the first it is for handshakes of which only the client's last packet is missing.
  private static let pause = TimeAmount.milliseconds(5)
  /// Checks for waiting clients. After each the loop accepts some of them, unless there are no descriptors left.
  private static let looks = 500

  // MARK: New clients

  /// Makes the system drop the first packet of handshakes: a client that connects now retries, and finds the port
  /// closed or another server there.
  private func letNobodyIn() async {
    guard let options = channel as? any SocketOptionProvider else { return }
    do {
      try await channel.eventLoop.flatSubmit {
        var code = Self.allButHandshakes
        return code.withUnsafeMutableBufferPointer { code in
          let filter = SocketFilter(sock_fprog(len: UInt16(code.count), filter: code.baseAddress))
          return options.unsafeSetSocketOption(level: .socket, name: .init(rawValue: SO_ATTACH_FILTER), value: filter)
        }
      }.get()
    } catch {
      // A sandbox may forbid it. Then a client that connects while the port closes may be reset.
      logger.debug("new clients cannot be turned away", metadata: ["cause": "\(error)"])
    }
  }

  private struct SocketFilter: @unchecked Sendable {
    // Unchecked: its pointer does not leave the call that it is made for, which the loop itself makes and does not
    // defer.
    let program: sock_fprog

    init(_ program: sock_fprog) { self.program = program }
  }

  /// Accepts every packet but those with SYN and without ACK. The system passes the filter packets from TCP's header
  /// on, where the flags are the byte at 13.
  private static let allButHandshakes = [
    sock_filter(code: UInt16(BPF_LD | BPF_B | BPF_ABS), jt: 0, jf: 0, k: 13),
    sock_filter(code: UInt16(BPF_ALU | BPF_AND | BPF_K), jt: 0, jf: 0, k: 0x12),
    sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: 1, k: 0x02),
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: 0),
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: .max),
  ]

  // MARK: Clients that wait

  /// Calls `act` in the same turn of the loop in which it finds that no client waits to be accepted; else lets the loop
  /// accept those that wait.
  ///
  /// - Returns: whether it called `act`.
  private func ifNobodyWaits(_ act: @escaping @Sendable () -> EventLoopFuture<Void>) async throws -> Bool {
    try await channel.eventLoop.flatSubmit {
      guard channel.isActive else { return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
      return waiting().flatMap { count in
        count == 0 ? act().map { true } : channel.setOption(.autoRead, value: true).map { false }
      }
    }.get()
  }

  /// How many clients are connected and not accepted. On the loop, with the result at once.
  private func waiting() -> EventLoopFuture<UInt32> {
    guard let options = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(0) }
    // For a listening port the system returns their number in this field.
    return options.getTCPInfo().map(\.tcpi_unacked)
  }

  /// Returns once accepted clients are on their loops: they are set up there, and then by the port's own loop, which
  /// has to be open.
  private func handOver() async throws {
    for executor in group.executors { try await executor.loop.submit {}.get() }
    try await channel.eventLoop.submit {}.get()
  }
}
