import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Work that other threads post to an event loop, where it arrives as input does.
///
/// With `execute` the loop would run it, and what is posted meanwhile, until nothing is left, and only then poll its
/// sockets: a database whose responses keep coming would make clients wait that long.
final class LoopMailbox: Sendable {
  private struct State {
    var isOpen = false
    var isRung = false
    var works: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  /// A pipe that holds one byte while the mailbox is signalled; `nil` where the system has none. The channel has a
  /// duplicate of the read end, so that a write finds a reader even after the loop has closed it.
  private let bell: (read: Int32, write: Int32)?

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      bell = nil
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    bell = (ends[0], ends[1])
  }

  deinit {
    guard let bell else { return }
    close(bell.read)
    close(bell.write)
  }

  /// Passes what is posted to `receive`, on `loop`, from soon on.
  func open(on loop: any EventLoop, _ receive: @escaping @Sendable ([@Sendable () -> Void]) -> Void) {
    let descriptor = bell.map { fcntl($0.read, F_DUPFD_CLOEXEC, 0) } ?? -1
    guard descriptor >= 0 else { return }
    let channel = NIOPipeBootstrap(group: loop)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in
        loop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(MailboxReader(self, receive))
        }
      }
      .takingOwnershipOfDescriptor(input: descriptor)
    channel.whenFailure { _ in close(descriptor) }
    channel.whenSuccess { _ in self.state.withLock { $0.isOpen = true } }
  }

  /// Runs `work` soon on the loop; called from any thread.
  ///
  /// - Returns: whether it will run; false before the mailbox is open, and where the system has no descriptor for it.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool { wake { $0.append(work) } }

  /// Delivers what was posted after the loop's next poll of its input, even if nothing was.
  func wake() -> Bool { wake { _ in } }

  private func wake(_ add: (inout [@Sendable () -> Void]) -> Void) -> Bool {
    let (isTaken, rings) = state.withLock { state in
      guard state.isOpen else { return (false, false) }
      add(&state.works)
      defer { state.isRung = true }
      return (true, !state.isRung)
    }
    if rings { ring() }
    return isTaken
  }

  private func ring() {
    guard let bell else { return }
    var byte: UInt8 = 1
    // It does not fail: the pipe holds one byte at most.
    _ = write(bell.write, &byte, 1)
  }

  /// Empties the mailbox; the next post signals it again.
  fileprivate func take(closing: Bool = false) -> [@Sendable () -> Void] {
    state.withLock { state in
      state.isRung = false
      if closing { state.isOpen = false }
      defer { state.works = [] }
      return state.works
    }
  }
}

/// Reads the signal of a mailbox, on the loop of its channel.
private final class MailboxReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let mailbox: LoopMailbox
  private let receive: ([@Sendable () -> Void]) -> Void

  init(_ mailbox: LoopMailbox, _ receive: @escaping ([@Sendable () -> Void]) -> Void) {
    self.mailbox = mailbox
    self.receive = receive
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { receive(mailbox.take()) }

  func handlerRemoved(context: ChannelHandlerContext) { receive(mailbox.take(closing: true)) }
}
