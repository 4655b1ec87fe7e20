import Glibc
import Jobs
import Reflection

/// A job and whose it is.
struct FoundJob: Sendable {
  let service: SuiteService
  let job: JobRecord

  /// Writes a table, or an array.
  static func show(_ jobs: [FoundJob], _ form: OutputForm) {
    if form == .json { return write(JSONValue.array(jobs.map(\.json)).text() + "\n", to: STDOUT_FILENO) }
    if jobs.isEmpty { return tell("there are none") }
    var table = TextTable(["SERVICE", "ID", "KIND", "KEY", "STATE", "DUE", "ATTEMPTS", "FAILURE"])
    for found in jobs {
      let job = found.job
      table.add([
        found.service.rawValue, "\(job.id)", job.kind, Self.shown(job.key), job.state.rawValue, "\(job.due)",
        "\(job.attempts)", Self.shown(job.lastFailure),
      ])
    }
    write(table.text, to: STDOUT_FILENO)
  }

  /// Writes a line for each thing that is known, or an object.
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

  /// What is not known is null, so that every object has the same members.
  private var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "id": .string("\(job.id)"), "kind": .string(job.kind),
      "key": Self.json(job.key), "state": .string(job.state.rawValue), "dueTime": .string("\(job.due)"),
      "readyTime": .string("\(job.ready)"), "attempts": .integer(job.attempts),
      "lastFailure": Self.json(job.lastFailure), "deadTime": Self.json(job.deadAt.map { "\($0)" }),
      "createTime": .string("\(job.createdAt)"), "repeatZone": Self.json(job.zone),
      "payloadBytes": .integer(job.payloadLength),
    ])
  }

  private static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private static func shown(_ text: String?) -> String { text.map(line) ?? "-" }

  /// The text in one line, without anything that acts on a terminal: failures come from anywhere.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map(shown)))
  }

  /// Controls, line ends among them, and marks that turn the direction of what follows become spaces.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value): " "
    default: scalar
    }
  }
}
