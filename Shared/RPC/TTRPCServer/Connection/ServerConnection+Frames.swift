import NIOCore
import ProtobufC
import TTRPC
import TTRPCFrames

/// What frames do to a connection's calls, and the frames that its calls send. On the event loop.
extension ServerConnection {
  // MARK: Reading

  /// Handles one frame; returns whether to continue with the next.
  func take(_ event: FrameReader.Event) -> Bool {
    switch event {
    case .frame(let header, let body): receive(header, body)
    case .oversize(let header):
      let refusal = CallRefusal(.messageBytes, .tooLarge(Int(header.length), limit: limits.messageBytes))
      refuseSkipped(header, refusal)
    case .overBudget(let header): refuseSkipped(header, .overBudget)
    case .unskippable: close(because: .frameLength)
    }
    return goesOn()
  }

  /// Refuses the stream of a frame that is skipped; a call that runs there has thereby ended.
  private func refuseSkipped(_ header: FrameHeader, _ refusal: CallRefusal) {
    guard header.type == .request, streams.call(header.streamID) == nil else {
      load.refused(refusal.reason)
      return refuse(refusal.status, on: header.streamID)
    }
    // Its id is used up, like that of a call that is refused for another reason.
    let status = ServerStreams<ServerCall>.refusal(ofID: header.streamID) ?? streams.admitRequest(header.streamID)
    refuseCall(status.map { CallRefusal(.streamID, $0) } ?? refusal, on: header.streamID)
  }

  private func receive(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    if let refusal = ServerStreams<ServerCall>.refusal(ofID: header.streamID) { return refuseID(of: header, refusal) }
    switch header.type {
    case .request:
      if let refusal = streams.admitRequest(header.streamID) { return refuseID(of: header, refusal) }
      begin(header, body)
    case .data: receiveData(header, body)
    default: break
    }
  }

  /// Refuses the stream of a frame whose id is invalid, or not that of a new call.
  private func refuseID(of header: FrameHeader, _ status: Status) {
    guard header.type == .request, streams.call(header.streamID) == nil else {
      return refuse(status, on: header.streamID)
    }
    refuseCall(CallRefusal(.streamID, status), on: header.streamID)
  }

  private func receiveData(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    switch streams.receiveData(header, abandons: StreamCancel.isSaid(by: header, body)) {
    case .deliver(let call, let isLast):
      call.countReceived(FrameHeader.size + body.count)
      call.deliver(body, arena)
      if isLast { call.inputEnded() }
    case .finish(let call): call.inputEnded()
    case .abandon(let call): call.abandon()
    case .refuse(let status): refuse(status, on: header.streamID)
    case .ignore: break
    }
  }

  /// How many bytes of one stream's messages may wait for their reader, and their budget.
  ///
  /// - Parameter owner: the budget that they count against beside the connection's.
  func inboxRoom(of owner: ByteBudget?) -> (limit: Int, budget: any MemoryBudget) {
    (limits.unreadBytesPerStream, owner.map { ByteBudget(within: budget, of: $0) } ?? budget)
  }

  // MARK: Writing

  /// Queues what `append` adds, or returns why it is not sent: it is too long, or too much before it is unsent.
  func queue(for call: ServerCall, _ append: (inout FrameBuffer, Arena) -> Status?) -> Status? {
    // Each client of a gateway has a share of what the gateway may leave unread.
    let isShared = hasServiceShare && output.isPiled
    guard !isShared || mayPile(for: call) else { return refuseUnsent() }
    let before = output.queuedBytes
    let refusal = output.send(append)
    if refusal == .unsent { return refuseUnsent() }
    if isShared, refusal == nil, let payer = call.payer {
      unsentShares.add(output.queuedBytes - before, of: ObjectIdentifier(payer), upTo: output.queuedBytes)
    }
    return refusal
  }

  private func refuseUnsent() -> Status {
    load.refused(.unsentBytes)
    return .unsent
  }

  private func mayPile(for call: ServerCall) -> Bool {
    guard let payer = call.payer, payer !== ownPrincipal else { return true }
    unsentShares.taken(upTo: output.takenBytes)
    return unsentShares.bytes(of: ObjectIdentifier(payer)) * 100
      <= (limits.unsentBytesPerConnection - unsentShares.total) * limits.sharePercent
  }

  /// Queues the failure of a call. It is sent however much is unsent, so that the client learns how the call ended.
  func send(_ status: Status, on streamID: UInt32) {
    pump.failed()
    let refusal = output.send { frames, arena in
      frames.appendResponse(status, on: streamID, in: arena)
      return nil
    }
    guard refusal != nil else { return }
    if status != .unsent { load.refused(.unsentBytes) }
    output.sendBypassingBudget { frames, arena in frames.appendResponse(status.brief, on: streamID, in: arena) }
  }

  /// Queues the end of a stream without an error.
  func sendEnd(on streamID: UInt32) {
    output.sendBypassingBudget { frames, _ in frames.appendEnd(on: streamID) }
  }

  /// Refuses the stream of a frame that cannot be handled. A Response ends a call, so one that runs there has ended.
  func refuse(_ status: Status, on streamID: UInt32) {
    if let call = streams.call(streamID) { call.stop(status) } else { send(status, on: streamID) }
  }
}
