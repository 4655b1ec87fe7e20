import ArgumentParser

/// The candidates for the word being completed, from the cache alone.
enum Completions {
  /// Methods, `package.Service/Method`.
  @Sendable static func methods(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    methods(in: cache(words), startingWith: prefix)
  }

  /// Services.
  @Sendable static func services(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    services(in: cache(words)).filter { $0.hasPrefix(prefix) }
  }

  /// Services and methods.
  @Sendable static func symbols(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    services(words, index, prefix) + methods(words, index, prefix)
  }

  /// The fields of the request of the method in the command line, as JSON that continues the text typed so far.
  @Sendable static func fields(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    let fieldsByMethod = cache(words).fieldsByMethod
    guard let method = words.first(where: { fieldsByMethod[$0] != nil }), let fields = fieldsByMethod[method] else {
      return []
    }
    let offers = Self.fields(fields, continuing: prefix)
    return CompletionShell.requesting == .bash ? offers.map(expanded) : offers
  }

  /// Escapes a candidate, as bash expands a list of candidates.
  private static func expanded(_ text: String) -> String {
    text.reduce(into: "") { $0 += "\\\"'$`".contains($1) ? "\\\($1)" : String($1) }
  }

  static func methods(in cache: CompletionCache, startingWith prefix: String) -> [String] {
    cache.fieldsByMethod.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func services(in cache: CompletionCache) -> [String] {
    Set(cache.fieldsByMethod.keys.compactMap { MethodName($0)?.service }).sorted()
  }

  /// Continues JSON that ends where a name is expected: after `{` or `,`, or within the name.
  static func fields(_ fields: [String], continuing text: String) -> [String] {
    let json = text.drop { $0 == "'" || $0 == "\"" && !text.contains("{") }
    guard let mark = json.lastIndex(where: { $0 == "{" || $0 == "," }) else {
      return json.isEmpty ? fields.map { "{\"\($0)\": " } : []
    }
    let typed = json[json.index(after: mark)...].drop { $0 == " " || $0 == "\"" }
    guard !typed.contains(where: { $0 == ":" || $0 == "\"" }) else { return [] }
    return fields.filter { $0.hasPrefix(typed) && !json.contains("\"\($0)\":") }.map { "\(json[...mark])\"\($0)\": " }
  }

  /// The cache of the suite that the command line names, else of the environment, else of the current folder.
  private static func cache(_ words: [String]) -> CompletionCache {
    let named = words.firstIndex(of: "--home").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    return CompletionCache(in: Workspace.nearestHome(named: named))
  }
}
