import Glibc
import Reflection

/// The sources of the request, or of the requests of a stream: the values of `-d`.
struct RequestParts: Sendable {
  enum Part: Sendable, Equatable {
    case text(String)
    case file(String)
    case input
  }

  let parts: [Part]

  init(_ data: [String]) {
    parts = data.map { value in
      switch value {
      case "@": .input
      case _ where value.hasPrefix("@"): .file(String(value.dropFirst()))
      default: .text(value)
      }
    }
  }

  /// The request of a method without request stream; an empty message without `-d`.
  func only() throws(Complaint) -> JSONValue {
    guard parts.count < 2 else {
      throw Complaint(usage: "-d is given \(parts.count) times; the method takes one request")
    }
    switch parts.first {
    case nil: return .object([])
    case .text(let text)?: return try Self.json(text, "the request")
    case .file(let path)?: return try Self.json(try Self.content(path), "the request")
    case .input?:
      guard isatty(STDIN_FILENO) == 0 else {
        throw Complaint(usage: "-d @ reads the request from standard input, which is a terminal; pipe it in")
      }
      return try Self.json(Files.text("/dev/stdin") ?? "", "the request")
    }
  }

  /// Passes the requests of a stream to `send`, in order, as they arrive.
  func forEach(input: InputLines, _ send: (JSONValue) async throws -> Void) async throws {
    for part in parts.isEmpty ? [.input] : parts {
      switch part {
      case .text(let text): try await send(try Self.json(text, "the request \(text)"))
      case .file(let path):
        for (index, line) in try Self.content(path).split(separator: "\n").enumerated() where !Self.isBlank(line) {
          try await send(try Self.json(line, "message \(index + 1) of \(path)"))
        }
      case .input:
        if isatty(STDIN_FILENO) == 1 { tell("one message in JSON to a line; Ctrl-D ends them") }
        var number = 0
        while let line = try await input.next() {
          number += 1
          if !Self.isBlank(line) { try await send(try Self.json(line, "line \(number) of standard input")) }
        }
      }
    }
  }

  private static func isBlank(_ line: some StringProtocol) -> Bool { line.allSatisfy(\.isWhitespace) }

  private static func json(_ text: some StringProtocol, _ what: String) throws(Complaint) -> JSONValue {
    do { return try JSONValue(parsing: text) } catch { throw Complaint(usage: "\(what) is not JSON: \(error)") }
  }

  private static func content(_ path: String) throws(Complaint) -> String {
    guard let text = Files.text(path) else { throw Complaint(usage: "\(path) cannot be read: \(systemMessage())") }
    return text
  }
}
