import TTRPC

/// The streams of one connection on the server's side: which are open, in which direction, and what a frame on them
/// means.
///
/// A state machine without I/O: it takes headers and returns actions. `Call` is the owner's value for each stream.
package struct ServerStreams<Call> {
  /// What to do with a Data frame.
  package enum DataAction {
    /// Deliver its body to the call as one message; `isLast` when the client sends no more.
    case deliver(Call, isLast: Bool)
    /// Notify the call that the client sends no more.
    case finish(Call)
    /// Cancel the call: its client has cancelled the stream.
    case abandon(Call)
    /// Do nothing: the frame neither carries a message nor closes the stream.
    case ignore
    /// Answer the stream with this status, which also ends a call that runs there.
    case refuse(Status)
  }

  private struct Stream {
    var call: Call
    var state: State
  }

  /// A stream's direction from the client. Becomes ``State/clientDone`` once the client closed its side.
  private enum State {
    /// One request, one response: no Data in either direction.
    case unary
    case clientSends
    case clientDone
  }

  private var open: [UInt32: Stream] = [:]
  private var lastRequestID: UInt32 = 0

  package init() {}

  package var count: Int { open.count }
  package var isEmpty: Bool { open.isEmpty }
  package var calls: [Call] { open.values.map(\.call) }

  /// Checks the id of any frame: a client's are odd.
  package static func refusal(ofID id: UInt32) -> Status? {
    guard id % 2 == 0 else { return nil }
    return Status(
      .invalidArgument, reason: ServerLimit.streamID.rawValue, "StreamID must be odd for client initiated streams")
  }

  /// Checks the id of a Request: ids rise, with any gaps.
  package mutating func admitRequest(_ id: UInt32) -> Status? {
    guard id > lastRequestID else {
      return Status(
        .invalidArgument, reason: ServerLimit.streamID.rawValue, "StreamID cannot be re-used and must increment")
    }
    lastRequestID = id
    return nil
  }

  /// Stores `call` under its id until ``close(_:)``.
  package mutating func open(_ id: UInt32, _ call: Call, kind: MethodKind, flags: FrameFlags) {
    let state: State =
      if kind == .unary { .unary } else if !kind.clientStreams || flags.contains(.remoteClosed) { .clientDone } else {
        .clientSends
      }
    open[id] = Stream(call: call, state: state)
  }

  /// The call that runs under `id`; `nil` for an id that is unknown or whose call has ended.
  package func call(_ id: UInt32) -> Call? {
    open[id]?.call
  }

  /// Returns the action for a Data frame.
  ///
  /// - Parameter abandons: whether its body cancels the stream.
  package mutating func receiveData(_ header: FrameHeader, abandons: Bool = false) -> DataAction {
    guard let stream = open[header.streamID] else { return .refuse(Self.inactive) }
    switch stream.state {
    case .unary:
      return .refuse(Self.unary)
    case .clientSends where abandons, .clientDone where abandons:
      return .abandon(stream.call)
    case .clientDone:
      return .refuse(Self.inactive)
    case .clientSends:
      let isLast = header.flags.contains(.remoteClosed)
      if isLast { open[header.streamID]?.state = .clientDone }
      let carriesMessage = !header.flags.contains(.noData) && (header.length > 0 || !isLast)
      if carriesMessage { return .deliver(stream.call, isLast: isLast) }
      return isLast ? .finish(stream.call) : .ignore
    }
  }

  /// Removes the stream; frames for it are refused from now on.
  package mutating func close(_ id: UInt32) {
    open[id] = nil
  }

  private static var inactive: Status {
    Status(.invalidArgument, reason: "STREAM_INACTIVE", "StreamID is no longer active")
  }

  private static var unary: Status {
    Status(.invalidArgument, reason: "STREAM_UNARY", "StreamID belongs to a unary call, which takes no data")
  }
}
