import FieldViolations
import ProtobufC

/// A call that a server has received, as its method sees it. On the call's event loop.
@usableFromInline
package protocol ReceivedCall: AnyObject, Sendable {
  var context: CallContext { get }
  /// The sending side of the call's stream.
  var outlet: any StreamOutlet { get }
  /// Runs the handler's task: on the call's event loop, in turns with those of other clients.
  var lane: any TaskExecutor { get }
  /// The trace that the handler's own calls continue; `nil` for a call that belongs to no trace.
  var traceScope: TraceScope? { get }

  /// Notes that the handler starts. The call keeps its place until ``workEnded()``, even when it was abandoned: it is
  /// still work for the server.
  func workBegins()
  /// Notes that the handler has returned.
  func workEnded()
  /// Keeps the handler's task, to be cancelled when the call ends before it.
  func keep(_ task: Task<Void, Never>)

  /// Sends the handler's response, unless the call was answered already (its deadline passed, for example).
  func succeed(_ pack: (Arena) -> PackedMessage)
  /// Ends a stream whose handler has returned.
  func finish()
  /// Sends the status of `error`, without internal details.
  func fail(_ error: any Error)

  /// Counts the memory that the request takes against the client's budgets; false when the call was refused instead.
  func mayHold(_ bytes: Int) -> Bool
  /// Refuses the call because of a message that cannot be decoded.
  func refuse(malformed error: ProtobufError, _ message: String)

  /// How many bytes of the client's messages may wait for the handler, and the budget that they share.
  var inboxRoom: (limit: Int, budget: any MemoryBudget) { get }
  /// Opens the client's side of the stream: its first message, which the request may carry, and those to come are
  /// delivered to `inbox`.
  ///
  /// - Returns: whether the call goes on; else the first message is malformed, and the call was refused.
  func receive(in inbox: Inbox, first payload: UnsafeRawBufferPointer, _ arena: Arena) -> Bool
}

/// The work of a handler: a type for each kind of method, specialized for its messages.
@usableFromInline
package protocol CallWork: Sendable {
  nonisolated(nonsending) func run(_ call: any ReceivedCall) async throws
}

extension CallWork {
  /// Starts the handler: it runs at once and on this loop, until it first waits.
  @inlinable
  func start(for call: any ReceivedCall) {
    let scope = call.traceScope
    call.workBegins()
    call.keep(
      Task.immediate(executorPreference: call.lane) {
        do {
          if let scope { try await scope.run { try await run(call) } } else { try await run(call) }
        } catch {
          call.fail(error)
        }
        call.workEnded()
      })
  }
}

/// The work of a handler whose request has unknown values of enums, in whose place it sees 0: the handler validates the
/// request, and whatever it answers, the call is refused by all that is wrong ([C-2]).
///
/// The handler has no effect: what it validates with begins with what the decoder found (``Violations/decoded``), and
/// so does every transaction.
@usableFromInline
struct RefusedWork: CallWork {
  private let unknown: BadFields
  private let handler: @Sendable (any ReceivedCall) async throws -> Void

  @usableFromInline
  init(_ unknown: [UnknownEnumValue], _ handler: @escaping @Sendable (any ReceivedCall) async throws -> Void) {
    self.unknown = BadFields(unknown: unknown)
    self.handler = handler
  }

  @usableFromInline
  nonisolated(nonsending) func run(_ call: any ReceivedCall) async throws {
    do {
      try await Violations.$decoded.withValue(unknown.violations) { try await handler(call) }
    } catch let found as BadFields {
      let isComplete = unknown.violations.allSatisfy(found.violations.contains)
      throw isComplete ? found : BadFields(violations: unknown.violations + found.violations)
    } catch {
      // Another refusal is of a request without these values.
      throw unknown
    }
    throw unknown
  }
}

// The message types are those of these functions, not of the call's: so they are specialized for them.
extension AnyMethod {
  /// Decodes the one request of a call.
  ///
  /// The memory of a request with lists is counted; of another it is about as long as it was on the wire.
  ///
  /// - Parameter unknown: set to the numbers that their enums have no names for: see ``RefusedWork``.
  /// - Returns: `nil` when the call was refused instead.
  @inlinable
  static func request<Request: ProtobufMessage>(
    of call: any ReceivedCall, _ payload: UnsafeRawBufferPointer, _ arena: Arena,
    _ decoder: RequestDecoder<Request>, unknown: inout [UnknownEnumValue]
  ) -> Request? {
    do throws(ProtobufError) {
      guard decoder.hasLists else { return try decoder.decode(payload, in: arena) }
      var held = 0
      let request = try decoder.decode(payload, in: arena, holding: &held)
      return call.mayHold(held) ? request : nil
    } catch {
      if case .unknownEnumValues = error {
        return requestToRefuse(of: call, payload, arena, decoder, unknown: &unknown)
      }
      call.refuse(malformed: error, Request.protobufName)
      return nil
    }
  }

  /// Decodes a request that has unknown values of enums, so that its handler finds what else is wrong with it ([C-2]).
  ///
  /// - Returns: `nil` when the call was refused.
  @usableFromInline
  static func requestToRefuse<Request: ProtobufMessage>(
    of call: any ReceivedCall, _ payload: UnsafeRawBufferPointer, _ arena: Arena,
    _ decoder: RequestDecoder<Request>, unknown: inout [UnknownEnumValue]
  ) -> Request? {
    do throws(ProtobufError) {
      var held = 0
      let request = try decoder.decode(payload, in: arena, holding: &held, unknown: &unknown)
      return call.mayHold(held) ? request : nil
    } catch {
      call.refuse(malformed: error, Request.protobufName)
      return nil
    }
  }

  /// The messages of the call's client.
  ///
  /// - Parameter payload: the first of them, which the request may carry.
  /// - Returns: `nil` when the call was refused instead.
  @inlinable
  static func requests<Request: ProtobufMessage>(
    of call: any ReceivedCall, first payload: UnsafeRawBufferPointer, _ arena: Arena,
    _ decoder: RequestDecoder<Request>
  ) -> MessageStream<Request>? {
    let room = call.inboxRoom
    let mailbox = Mailbox<Request>(.received(by: decoder), limit: room.limit, budget: room.budget)
    return call.receive(in: mailbox.inbox, first: payload, arena) ? MessageStream(mailbox: mailbox) : nil
  }
}
