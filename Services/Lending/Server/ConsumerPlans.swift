import Ambient
import Blocks
import Events
import Identifiers
import LendingDomain
import LendingHandlers
import LendingStore
import Postgres
import TandemEvents
import Usernames

extension ConsumerPlan {
  /// What is done about identity's accounts: names are kept, and what is open of who leaves is closed ([C-9]).
  static func people(_ farewells: Farewells) -> ConsumerPlan {
    let departures = ConsumerPlan.accountDeletions(LendingSchema.removals)
    let settling = EventEffect(of: AccountDeleted.self) { _, tx in try await farewells.scheduleSettlement(tx) }
    let plan = ConsumerPlan(
      of: "identity", effects: departures.effects + [settling],
      rebuildRestoresAll: true,
      rebuild: { source in
        guard let rebuild = departures.rebuild else { return { _ in } }
        let store = try await rebuild(source)
        return { tx in
          try await store(tx)
          try await farewells.scheduleSettlement(tx)
        }
      })
    return plan.keepingUsernames()
  }

  /// What is done about identity's blocks: nobody asks for a book of whom they keep away, and what waits between them is closed ([C-10]).
  static func blocks(_ farewells: Farewells) -> ConsumerPlan {
    .blocks(
      added: { block, tx in
        try await farewells.scheduleSeparation(of: PersonID(block.blocked), from: PersonID(block.blocker), tx)
      },
      rebuilt: { tx in try await farewells.scheduleSeparations(tx) })
  }

  /// What is done about the catalog's books: what requests keep of them is known before anybody asks.
  ///
  /// Where the news is gone, the catalog is asked about each book when somebody asks for it. Deletions cannot be missed: the catalog has lending
  /// retire a book first.
  static func books(clock: any WallClock) -> ConsumerPlan {
    ConsumerPlan(
      of: "catalog",
      effects: [
        EventEffect(of: BookListed.self) { event, tx in
          try await PutBook(event).keep(in: tx)
        },
        EventEffect(of: BookDeleted.self) { event, tx in
          let id = try BookID(event)
          guard let book = try await tx.first(LockedBook(id)), book.facts.status == .available else { return }
          _ = try await tx.first(MarkRetired(id, now: clock.now))
        },
      ],
      rebuildRestoresAll: true,
      rebuild: { _ in { tx in try await tx.execute(ForgetDescriptions()) } })
  }
}
