import Events
import Glibc
import Reflection

/// A parked event and whose it is.
struct FoundEvent: Sendable {
  let service: SuiteService
  let event: ParkedEventRecord

  /// Writes a table, or an array.
  static func show(_ events: [FoundEvent], _ form: OutputForm) {
    if form == .json { return write(JSONValue.array(events.map(\.json)).text() + "\n", to: STDOUT_FILENO) }
    if events.isEmpty { return tell("there are none") }
    var table = TextTable([
      "SERVICE", "ID", "FROM", "TYPE", "KEY", "STATE", "SINCE", "TRIED NEXT", "ATTEMPTS", "FAILURE",
    ])
    for found in events {
      let event = found.event
      table.add([
        found.service.rawValue, "\(event.id)", FoundJob.line(event.producer), FoundJob.line(event.type),
        FoundJob.line(event.key), event.state.rawValue, "\(event.parkedAt)", found.nextTry ?? "-",
        "\(event.attempts)", event.lastFailure.map(FoundJob.line) ?? "-",
      ])
    }
    write(table.text, to: STDOUT_FILENO)
  }

  private var nextTry: String? { event.state == .failing ? "\(event.dueAt)" : nil }

  /// What is not known is null, so that every object has the same members.
  private var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "id": .string("\(event.id)"), "producer": .string(event.producer),
      "consumer": .string(event.consumer), "type": .string(event.type), "key": .string(event.key),
      "state": .string(event.state.rawValue), "position": .string("\(event.position)"),
      "attempts": .integer(event.attempts), "lastFailure": Self.json(event.lastFailure),
      "parkTime": .string("\(event.parkedAt)"), "nextTryTime": Self.json(nextTry),
    ])
  }

  private static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
