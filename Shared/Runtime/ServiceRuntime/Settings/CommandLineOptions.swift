/// The options of a command line, checked against the declared settings.
struct CommandLineOptions: Sendable {
  /// `--key=value` for every option, as swift-configuration's provider reads them.
  private(set) var normalized: [String] = []
  /// What is wrong with them, one line each.
  private(set) var problems: [String] = []

  /// - Parameter words: the words after the command's name, without the command's own options.
  init(_ words: [String], settings: [SettingDescription]) {
    var known: [String: Bool] = ["config": false, SecretsFolder.key: false]
    for setting in settings {
      known[setting.key] = setting.isFlag
      if let fileKey = setting.fileKey { known[fileKey] = false }
    }
    var seen: Set<String> = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        let isCommand = ["serve", "migrate", "config"].contains(word)
        problems.append("unexpected argument \"\(word)\"; " + (isCommand ? "a command comes first" : "see --help"))
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      guard let isFlag = known[key] else {
        let hint = nearest(to: key, among: known.keys).map { "; did you mean --\($0)?" } ?? "; see --help"
        problems.append("unknown option --\(key)\(hint)")
        // Its value, if it has one, would only cause a second error for the same mistake.
        if parts.count == 1, let next = rest.first, !next.hasPrefix("--") { rest.removeFirst() }
        continue
      }
      let value: String
      if parts.count == 2 {
        value = String(parts[1])
      } else if isFlag {
        value = rest.first.flatMap { ["true", "false"].contains($0) ? $0 : nil } ?? "true"
        if value == rest.first { rest.removeFirst() }
      } else if let next = rest.first, !next.hasPrefix("--") {
        value = next
        rest.removeFirst()
      } else {
        problems.append("option --\(key) needs a value: --\(key)=VALUE")
        continue
      }
      if seen.insert(key).inserted {
        normalized.append("--\(key)=\(value)")
      } else {
        problems.append("option --\(key) is given twice")
      }
    }
  }
}

/// The candidate that a user may have meant: at most a third of the letters differ.
func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let ranked = candidates.map { ($0, editDistance(word, $0)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
  return ranked.flatMap { $0.1 <= max(1, word.count / 3) ? $0.0 : nil }
}

/// How many letters must be inserted, removed or replaced (Levenshtein).
private func editDistance(_ left: String, _ right: String) -> Int {
  let columns = Array(right)
  var row = Array(0...columns.count)
  for (number, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = number + 1
    for (index, other) in columns.enumerated() {
      let replaced = diagonal + (letter == other ? 0 : 1)
      diagonal = row[index + 1]
      row[index + 1] = min(replaced, diagonal + 1, row[index] + 1)
    }
  }
  return row[columns.count]
}
