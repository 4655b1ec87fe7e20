import ArgumentParser
import Events
import Identifiers
import Postgres

/// `tandem events`.
struct EventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "See which events of others a service cannot apply, and have them retried or skipped.",
    usage: """
      tandem events list
      tandem events list --service lending -o json
      tandem events retry 0197a5a0-0000-7000-8000-000000000001
      tandem events skip 0197a5a0-0000-7000-8000-000000000001
      """,
    discussion: EventsText.discussion,
    subcommands: [ListEventsCommand.self, RetryEventsCommand.self, SkipEventsCommand.self])
}

private enum EventsText {
  static let discussion = """
    An event that fails is parked in the service that follows, and so are all later ones of its topic and key. The first of \
    them is tried again and again, at most five minutes apart; the others wait for it. Databases are found as `tandem jobs` \
    finds them. What an event tells is not shown.

    Exit status: 0 done, 1 no such event or no database, 2 wrong usage.
    """
}

/// `tandem events list`.
struct ListEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List parked events: failing ones, what waits for them, and skipped ones.",
    usage: """
      tandem events list
      tandem events list --service lending --limit 1000
      """, discussion: EventsText.discussion)

  @OptionGroup var list: ListOptions

  func run() async throws { try await list.show(FoundEvent.self) { ListParkedEvents(limit: $0) } }
}

/// `tandem events retry`.
struct RetryEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Have parked events tried at once, skipped ones too.",
    usage: """
      tandem events retry 0197a5a0-0000-7000-8000-000000000001
      """,
    discussion: """
      A replica tries it within seconds. One that waits for another goes on waiting. One that was skipped is tried again, and \
      later ones of its key wait for it from then on; those that took effect meanwhile came before it.

      \(EventsText.discussion)
      """)

  @OptionGroup var events: NamedEvents

  func run() async throws { try await events.change { RetryParkedEvent(id: $0) } }
}

/// `tandem events skip`.
struct SkipEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Leave parked events out, so that later ones of their keys go on.",
    usage: """
      tandem events skip 0197a5a0-0000-7000-8000-000000000001
      """,
    discussion: """
      What the event tells never takes effect, unless it is retried. It stays in the list as skipped.

      \(EventsText.discussion)
      """)

  @OptionGroup var events: NamedEvents

  func run() async throws { try await events.change { SkipParkedEvent(id: $0) } }
}

/// The arguments of a command that changes events.
struct NamedEvents: ParsableArguments {
  @Argument(help: "The events' ids, as `tandem events list` shows them.", transform: uuidArgument(of: "event"))
  var ids: [UUID7]

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption

  /// Runs a statement for each id, in the database that has the event, and shows the changed events.
  func change<S: Statement>(_ statement: (UUID7) -> S) async throws where S.Row == ParkedEventRecord {
    var (changed, missing): ([FoundEvent], Set<UUID7>) = ([], Set(ids))
    for database in try ServiceDatabases.named(place) {
      for id in missing {
        guard let event = try await database.asked({ try await $0.write(statement(id)) }).first else { continue }
        changed.append(FoundEvent(service: database.service, record: event))
        missing.remove(id)
      }
    }
    FoundEvent.show(changed, form.output)
    let complaints = ids.filter(missing.contains).map { "no event \($0) is parked" }
    guard complaints.isEmpty else { throw Complaint(complaints.joined(separator: "\n")) }
  }
}
