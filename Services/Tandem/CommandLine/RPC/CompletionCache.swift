import Reflection

/// Methods and the fields of their requests, kept in the suite's folder for a shell that completes a command line: asking the servers
/// would take longer than a user waits.
struct CompletionCache: Sendable {
  /// A line for each method: its full name, a tab, and its request's fields as JSON names them, with spaces between.
  private let path: String
  private let folder: String

  init(in home: String) {
    folder = home
    path = "\(home)/completions"
  }

  /// The fields of the request by the method's full name; empty when nothing is kept.
  var fieldsByMethod: [String: [String]] {
    var found: [String: [String]] = [:]
    for line in (Files.text(path) ?? "").split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      found[String(parts[0])] = parts.count > 1 ? parts[1].split(separator: " ").map(String.init) : []
    }
    return found
  }

  /// Keeps what the schema says of its services, in place of what was kept of them.
  ///
  /// Nothing is kept where there is no suite's folder: a call to somewhere else leaves no trace here.
  func note(_ schema: Schema) {
    guard !schema.services.isEmpty, Files.exists(folder) else { return }
    let kept = fieldsByMethod
    var noted = kept.filter { method, _ in MethodName(method).map { schema.services[$0.service] == nil } ?? false }
    for service in schema.services.values {
      for method in service.methods {
        noted["\(service.fullName)/\(method.name)"] = schema.messages[method.input]?.fields.map(\.jsonName) ?? []
      }
    }
    guard noted != kept else { return }
    let lines = noted.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.joined(separator: " "))\n" }
    do { try Files.write(lines.joined(), to: path, mode: 0o644) } catch {
      // A convenience: the command that called us does its work without it.
    }
  }
}
