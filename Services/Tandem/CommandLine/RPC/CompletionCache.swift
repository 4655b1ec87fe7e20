import Reflection

/// A cache of methods and their requests' fields, in the suite's folder, for shell completion: querying the servers would take too long.
struct CompletionCache: Sendable {
  /// A line for each method: its full name, a tab, and its request's fields as JSON names, separated by spaces.
  private let path: String
  private let folder: String

  init(in home: String) {
    folder = home
    path = "\(home)/completions"
  }

  /// The fields of the request by the method's full name; empty without a cache.
  var fieldsByMethod: [String: [String]] {
    var found: [String: [String]] = [:]
    for line in (Files.text(path) ?? "").split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      found[String(parts[0])] = parts.count > 1 ? parts[1].split(separator: " ").map(String.init) : []
    }
    return found
  }

  /// Replaces what is stored about the services of the schema.
  ///
  /// Has no effect if the suite's folder does not exist, so that calls to other servers leave no files.
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
      // A failure is ignored: the command works without the cache.
    }
  }
}
