import Events
import Reflection

/// A parked event and the service that it belongs to.
struct FoundEvent: FoundRow {
  let service: SuiteService
  let event: ParkedEventRecord

  init(service: SuiteService, record: ParkedEventRecord) { (self.service, event) = (service, record) }

  static let columns = [
    "SERVICE", "ID", "FROM", "TYPE", "KEY", "STATE", "SINCE", "TRIED NEXT", "ATTEMPTS", "FAILURE",
  ]

  var cells: [String] {
    [
      service.rawValue, "\(event.id)", Self.line(event.producer), Self.line(event.type), Self.line(event.key),
      event.state.rawValue, "\(event.parkedAt)", Self.shown(nextTry), "\(event.attempts)",
      Self.shown(event.lastFailure),
    ]
  }

  private var nextTry: String? { event.state == .failing ? "\(event.dueAt)" : nil }

  var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "id": .string("\(event.id)"), "producer": .string(event.producer),
      "consumer": .string(event.consumer), "type": .string(event.type), "key": .string(event.key),
      "state": .string(event.state.rawValue), "position": .string("\(event.position)"),
      "attempts": .integer(event.attempts), "lastFailure": Self.json(event.lastFailure),
      "parkTime": .string("\(event.parkedAt)"), "nextTryTime": Self.json(nextTry),
    ])
  }
}
