import GatewayProtocols
import NIOCore
import WorkerPool

/// The messages of a call that its service has not got yet.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only, which debug builds check at each use.
final class RequestQueue: @unchecked Sendable {
  enum Message {
    /// As the service takes it.
    case protobuf([UInt8])
    /// As the client wrote it: it may be too long, or become too long, to be converted while it is read.
    case written(EncodedMessage)

    /// What an entry and its array take beside the bytes: of empty messages, too, only so many wait.
    private static let overhead = 64

    fileprivate var bytes: Int {
      switch self {
      case .protobuf(let bytes): Self.overhead + bytes.count
      case .written(let message):
        Self.overhead
          + (message.isCompressed ? max(message.bytes.count, BoundedTurn.maxLoopBytes) : message.bytes.count)
      }
    }
  }

  private let loop: any EventLoop
  private var waiting: [Message] = []
  /// Bytes of what waits, with what each message takes beside its own; a compressed message counts as at least what an event loop expands.
  private(set) var bytes = 0
  private var isEnded = false
  private var reader: UnsafeContinuation<Void, Never>?

  /// - Parameter loop: the connection's.
  init(on loop: any EventLoop) { self.loop = loop }

  func append(_ message: Message) {
    waiting.append(message)
    bytes += message.bytes
    wake()
  }

  /// No more messages come; those that wait are still read.
  func end() {
    isEnded = true
    wake()
  }

  /// Nothing is read any more.
  func close() {
    (waiting, bytes) = ([], 0)
    end()
  }

  /// The next message, when it has come; `nil` after the last. One task reads at a time.
  func next() async -> Message? {
    while isEmpty {
      if isEnded { return nil }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in reader = continuation }
    }
    let next = waiting.removeFirst()
    bytes -= next.bytes
    return next
  }

  private var isEmpty: Bool {
    loop.assertInEventLoop()
    return waiting.isEmpty
  }

  private func wake() {
    loop.assertInEventLoop()
    let waiting = reader
    reader = nil
    waiting?.resume()
  }
}
