import TTRPC

/// The streams of one connection on the server's side: which are open, in which direction, and what a frame on them
/// means.
///
/// A state machine without I/O: it takes headers and returns actions. `Call` is the owner's value for each stream, for
/// which all of it is specialized in the owner's module.
@usableFromInline
package struct ServerStreams<Call> {
  /// What to do with a Data frame.
  @usableFromInline
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

  @usableFromInline
  struct Stream {
    @usableFromInline var call: Call
    @usableFromInline var state: State

    @inlinable
    init(call: Call, state: State) {
      self.call = call
      self.state = state
    }
  }

  /// A stream's direction from the client. Becomes ``State/clientDone`` once the client closed its side.
  @usableFromInline
  enum State {
    /// One request, one response: no Data in either direction.
    case unary
    case clientSends
    case clientDone
  }

  @usableFromInline var open: [UInt32: Stream] = [:]
  @usableFromInline var lastRequestID: UInt32 = 0

  @inlinable
  package init() {}

  @inlinable
  package var count: Int { open.count }
  @inlinable
  package var isEmpty: Bool { open.isEmpty }
  @inlinable
  package var calls: [Call] { open.values.map(\.call) }

  /// Checks the id of any frame: a client's are odd.
  @inlinable
  package static func refusal(ofID id: UInt32) -> Status? {
    id % 2 == 0 ? StreamRefusals.even : nil
  }

  /// Checks the id of a Request: ids rise, with any gaps.
  @inlinable
  package mutating func admitRequest(_ id: UInt32) -> Status? {
    guard id > lastRequestID else { return StreamRefusals.used }
    lastRequestID = id
    return nil
  }

  /// Stores `call` under its id until ``close(_:)``.
  @inlinable
  package mutating func open(_ id: UInt32, _ call: Call, kind: MethodKind, flags: FrameFlags) {
    let state: State =
      if kind == .unary { .unary } else if !kind.clientStreams || flags.contains(.remoteClosed) { .clientDone } else {
        .clientSends
      }
    open[id] = Stream(call: call, state: state)
  }

  /// The call that runs under `id`; `nil` for an id that is unknown or whose call has ended.
  @inlinable
  package func call(_ id: UInt32) -> Call? {
    open[id]?.call
  }

  /// Returns the action for a Data frame.
  ///
  /// - Parameter abandons: whether its body cancels the stream.
  @inlinable
  package mutating func receiveData(_ header: FrameHeader, abandons: Bool = false) -> DataAction {
    guard let stream = open[header.streamID] else { return .refuse(StreamRefusals.inactive) }
    switch stream.state {
    case .unary:
      return .refuse(StreamRefusals.unary)
    case .clientSends where abandons, .clientDone where abandons:
      return .abandon(stream.call)
    case .clientDone:
      return .refuse(StreamRefusals.inactive)
    case .clientSends:
      let isLast = header.flags.contains(.remoteClosed)
      if isLast { open[header.streamID]?.state = .clientDone }
      let carriesMessage = !header.flags.contains(.noData) && (header.length > 0 || !isLast)
      if carriesMessage { return .deliver(stream.call, isLast: isLast) }
      return isLast ? .finish(stream.call) : .ignore
    }
  }

  /// Removes the stream; frames for it are refused from now on.
  @inlinable
  package mutating func close(_ id: UInt32) {
    open[id] = nil
  }
}

/// The refusals of frames whose stream cannot take them.
@usableFromInline
enum StreamRefusals {
  @usableFromInline static let even = Status(
    .invalidArgument, reason: ServerLimit.streamID.rawValue, "StreamID must be odd for client initiated streams")

  @usableFromInline static let used = Status(
    .invalidArgument, reason: ServerLimit.streamID.rawValue, "StreamID cannot be re-used and must increment")

  @usableFromInline static let inactive = Status(
    .invalidArgument, reason: "STREAM_INACTIVE", "StreamID is no longer active")

  @usableFromInline static let unary = Status(
    .invalidArgument, reason: "STREAM_UNARY", "StreamID belongs to a unary call, which takes no data")
}
