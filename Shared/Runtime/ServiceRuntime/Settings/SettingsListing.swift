import JSONText

extension Settings {
  /// Every setting as a row of a table: name, value, origin, default, meaning.
  func table() -> String {
    let rows = resolved.map { entry in
      [
        entry.setting.key, entry.shownValue ?? "(not set)", entry.origin ?? "default",
        entry.setting.defaultText ?? (entry.setting.isRequired ? "(required)" : "-"), entry.setting.type,
        entry.setting.meaning,
      ]
    }
    return Self.aligned([["SETTING", "VALUE", "FROM", "DEFAULT", "TYPE", "MEANING"]] + rows)
  }

  /// Every setting as a JSON array of objects; values that are not set are `null`.
  func json() -> String {
    let objects = resolved.map { entry in
      let setting = entry.setting
      let members = [
        ("setting", JSONText.quoted(setting.key)), ("value", entry.shownValue.map(JSONText.quoted) ?? "null"),
        ("from", JSONText.quoted(entry.origin ?? "default")),
        ("default", setting.defaultText.map(JSONText.quoted) ?? "null"),
        ("type", JSONText.quoted(setting.type)), ("required", "\(setting.isRequired)"),
        ("secret", "\(setting.secrecy != .open)"), ("environment", JSONText.quoted(setting.environmentName)),
        ("meaning", JSONText.quoted(setting.meaning)),
      ]
      return "  {" + members.map { "\(JSONText.quoted($0)): \($1)" }.joined(separator: ", ") + "}"
    }
    return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  /// Columns padded to their widest cell, except for the last.
  private static func aligned(_ rows: [[String]]) -> String {
    let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }.joined(separator: "  ") + "\n"
    }.joined()
  }
}

extension ResolvedSetting {
  /// The effective value in a form that may be shown; nil when there is none.
  fileprivate var shownValue: String? { text.map(setting.secrecy.shown) ?? setting.defaultText }
}

extension SettingDescription {
  /// The settings as `--help` shows them: option and default, then the meaning on lines of its own.
  static func help(_ settings: [SettingDescription]) -> String {
    settings.map { setting in
      let option = setting.isFlag ? "--\(setting.key)" : "--\(setting.key) <\(setting.type)>"
      let standard = setting.defaultText.map { " (default: \($0))" } ?? (setting.isRequired ? " (required)" : "")
      let file = setting.fileKey.map { "; or --\($0) <path>" } ?? ""
      return "  \(option)\(standard)\n\(wrapped(setting.meaning + file, indent: 6))"
    }.joined(separator: "\n")
  }

  /// Indented lines of at most 79 columns; ArgumentParser would indent only the first.
  private static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = [margin]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.count > indent && line.count + 1 + word.count > 79 {
        lines.append(margin + word)
      } else {
        lines[lines.count - 1] = line.count == indent ? line + word : line + " " + word
      }
    }
    return lines.joined(separator: "\n")
  }
}
