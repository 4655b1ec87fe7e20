import Glibc
import Jobs
import Reflection

/// A job and the service that it belongs to.
struct FoundJob: FoundRow {
  let service: SuiteService
  let job: JobRecord

  init(service: SuiteService, record: JobRecord) { (self.service, job) = (service, record) }

  static let columns = ["SERVICE", "ID", "KIND", "KEY", "STATE", "DUE", "ATTEMPTS", "FAILURE"]

  var cells: [String] {
    [
      service.rawValue, "\(job.id)", job.kind, Self.shown(job.key), job.state.rawValue, "\(job.due)",
      "\(job.attempts)", Self.shown(job.lastFailure),
    ]
  }

  /// Writes a line for each known value, or an object.
  func show(_ form: OutputForm) {
    if form == .json { return write(json.text() + "\n", to: STDOUT_FILENO) }
    let lines: [(String, String?)] = [
      ("service", service.rawValue), ("id", "\(job.id)"), ("kind", job.kind), ("key", job.key),
      ("state", job.state.rawValue), ("due", "\(job.due)"), ("tried next", nextTry), ("attempts", "\(job.attempts)"),
      ("last failure", job.lastFailure), ("given up", job.deadAt.map { "\($0)" }), ("scheduled", "\(job.createdAt)"),
      ("repeats in", job.zone), ("holds", "\(job.payloadLength) bytes"),
    ]
    for (name, value) in lines {
      guard let value else { continue }
      write("\(name):\(String(repeating: " ", count: 14 - name.count))\(Self.line(value))\n", to: STDOUT_FILENO)
    }
  }

  private var nextTry: String? { job.state == .waiting ? "\(job.ready)" : nil }

  var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "id": .string("\(job.id)"), "kind": .string(job.kind),
      "key": Self.json(job.key), "state": .string(job.state.rawValue), "dueTime": .string("\(job.due)"),
      "readyTime": .string("\(job.ready)"), "attempts": .integer(job.attempts),
      "lastFailure": Self.json(job.lastFailure), "deadTime": Self.json(job.deadAt.map { "\($0)" }),
      "createTime": .string("\(job.createdAt)"), "repeatZone": Self.json(job.zone),
      "payloadBytes": .integer(job.payloadLength),
    ])
  }
}
