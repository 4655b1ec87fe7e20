import FieldViolations
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Live
import TTRPC
import TandemImporter

extension Trackers {
  /// How long a change that was not announced stays unseen: at first, and in an import in which nothing happens for long.
  private static let (firstLook, longestLook): (Duration, Duration) = (.seconds(1), .seconds(30))

  /// Sends an import as it is, then after each change, until it has ended ([IM-4]).
  package func watchImport(
    _ call: WatchImportRequest, _ responses: MessageWriter<Import>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    var bad = Violations()
    let parsed = bad.importID(call.importID)
    let id = try bad.all(parsed)
    try await watchPlaces.withPlace(of: user) { try await watch(id, of: user, responses) }
  }

  private func watch(_ id: ImportID, of user: UserID, _ responses: MessageWriter<Import>) async throws {
    // Subscribed before the first look, so that no change is missed between the two.
    let changes = live.subscribe(to: ImportTransitions.channel)
    var last = Import(try await found(id, of: user))
    try await responses.send(last)
    var look = Self.firstLook
    while !last.state.hasEnded {
      await Self.change(of: id.uuid.bytes, in: changes, orAfter: look)
      try Task.checkCancellation()
      let present = Import(try await found(id, of: user))
      look = present == last ? min(look * 2, Self.longestLook) : Self.firstLook
      if present != last { try await responses.send(present) }
      last = present
    }
  }

  /// Waits for the news that an import has changed, or perhaps has, but not for long.
  private static func change(of id: [UInt8], in changes: LiveSubscription, orAfter look: Duration) async {
    await withTaskGroup(of: Void.self) { race in
      race.addTask {
        for await message in changes {
          switch message {
          case .payload(let bytes) where bytes != id: continue
          default: return
          }
        }
      }
      // It throws only when the group is cancelled.
      race.addTask { try? await Task.sleep(for: look) }
      await race.next()
      race.cancelAll()
    }
  }
}

extension TandemImporter.ImportState {
  fileprivate var hasEnded: Bool { self == .succeeded || self == .failed || self == .cancelled }
}
