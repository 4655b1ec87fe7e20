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
    /// `nil` where the system has none, and once the mailbox is closed.
    var bell = Bell()
  }

  private let state = Mutex(State())

  /// The signal's read end, while there is one.
  var readEnd: Int32? { state.withLock { $0.bell?.read } }

  /// Passes what is posted to `receive`, on `loop`, from soon on.
  func open(on loop: any EventLoop, _ receive: @escaping @Sendable ([@Sendable () -> Void]) -> Void) {
    let descriptor = readEnd.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
    guard descriptor >= 0 else { return }
    let channel = NIOPipeBootstrap(group: loop)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in
        loop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(MailboxReader(self, receive))
        }
      }
      .takingOwnershipOfDescriptor(input: descriptor)
    channel.whenFailure { _ in Glibc.close(descriptor) }
    channel.whenSuccess { _ in self.state.withLock { $0.isOpen = true } }
  }

  /// Runs `work` soon on the loop; called from any thread.
  ///
  /// - Returns: whether it will run; false before the mailbox is open, and where the system has no descriptor for it.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool { wake { $0.append(work) } }

  /// Delivers what was posted after the loop's next poll of its input, even if nothing was.
  func wake() -> Bool { wake { _ in } }

  private func wake(_ add: (inout [@Sendable () -> Void]) -> Void) -> Bool {
    let (isTaken, bell) = state.withLock { state -> (Bool, Bell?) in
      guard state.isOpen else { return (false, nil) }
      add(&state.works)
      defer { state.isRung = true }
      return (true, state.isRung ? nil : state.bell)
    }
    bell?.ring()
    return isTaken
  }

  /// Returns the descriptors to the system. What is posted from then on is not taken.
  func close() {
    // Released once the lock is, and once no thread rings it any more.
    let bell = state.withLock { state in
      state.isOpen = false
      defer { state.bell = nil }
      return state.bell
    }
    withExtendedLifetime(bell) {}
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

/// A pipe that holds one byte while a mailbox is signalled. The mailbox's channel has a duplicate of the read end, so that a write finds
/// a reader even after the loop has closed that.
private final class Bell: Sendable {
  let read: Int32
  private let write: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (read, write) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(read)
    Glibc.close(write)
  }

  func ring() {
    var byte: UInt8 = 1
    // It does not fail: the pipe holds one byte at most.
    _ = Glibc.write(write, &byte, 1)
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
