import Batches
import ChatDomain
import Identifiers

/// Messages that users send, and that wait until they are stored together with others ([TR-32]).
///
/// A conversation belongs to one of a few lanes: a busy one needs one lock and one commit for all that wait, and the order of a sender's messages
/// is kept.
package struct MessageLog: Sendable {
  package typealias Waiting = Batches<NewMessage, StoredSend>.Waiting

  /// Few, so that batches are large; several, so that one slow commit does not hold up all conversations.
  private static let laneCount = 4
  /// Messages that may wait in a lane.
  private static let limits = BatchLimits(ofUser: 1_000, inAll: 4_096)

  package let messages = Batches<NewMessage, StoredSend>(lanes: laneCount, limits)

  package init() {}

  /// Adds a message; it is durable when this returns. A message that was added before is not added again.
  ///
  /// - Throws: ``ChatDomain/SendRefusal``; ``ChatFailure`` when too many wait, or the service stops; ``Postgres/PostgresError``.
  package func append(_ message: NewMessage) async throws -> StoredSend {
    let lane = UInt64(bitPattern: Int64(message.conversationID.uuid.hashValue))
    // No two of a batch are the same, or have the same picture.
    let keys = [message.clientMessageID.uuid] + (message.pictureID.map { [$0.uuid] } ?? [])
    do { return try await messages.hand(in: message, keys: keys, of: message.senderID, lane: lane) } catch let refusal
      as BatchRefusal
    {
      switch refusal {
      case .tooManyOfUser, .tooMany: throw ChatFailure.overloaded
      case .stopping: throw ChatFailure.stopping
      }
    }
  }
}
