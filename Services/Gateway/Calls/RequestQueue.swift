import GatewayProtocols
import WorkerPool

/// The messages of a call that its service has not got yet.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only.
final class RequestQueue: @unchecked Sendable {
  enum Message {
    /// As the service takes it.
    case protobuf([UInt8])
    /// As the client wrote it: it may be too long, or become too long, to be converted while it is read.
    case written(EncodedMessage)

    fileprivate var bytes: Int {
      switch self {
      case .protobuf(let bytes): bytes.count
      case .written(let message):
        message.isCompressed ? max(message.bytes.count, BoundedTurn.maxLoopBytes) : message.bytes.count
      }
    }
  }

  private var waiting: [Message] = []
  /// Bytes of what waits; a compressed message counts as at least what an event loop expands.
  private(set) var bytes = 0
  private var isEnded = false
  private var reader: UnsafeContinuation<Void, Never>?

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
    while waiting.isEmpty {
      if isEnded { return nil }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in reader = continuation }
    }
    let next = waiting.removeFirst()
    bytes -= next.bytes
    return next
  }

  private func wake() {
    let waiting = reader
    reader = nil
    waiting?.resume()
  }
}
