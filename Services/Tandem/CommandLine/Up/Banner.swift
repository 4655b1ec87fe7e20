/// The summary of a running suite, for output.
struct Banner {
  /// Lets an operator's browser in, once; `nil` without a console.
  var operatorLink: String?
  let suite: RunningSuite
  let workspace: Workspace
  /// Whether the data are kept after the end.
  let keeps: Bool
  /// Why the database's data are not in the workspace; `nil` if they are.
  let relocation: String?
  /// Since the start of the command.
  let time: Duration
  let isFirstTime: Bool

  func text(_ palette: Palette) -> String {
    let first = isFirstTime ? ", the first time, with a new database" : ""
    var lines: [String] = []
    if !suite.gateway.isEmpty { lines.append(palette.bold("https://\(suite.gateway)") + " is the suite's address") }
    if let operatorLink {
      lines.append(palette.bold(operatorLink) + " lets an operator in, once, within ten minutes")
    }
    lines += [palette.bold("Tandem is up") + " after \(seconds(time))\(first)", ""]
    for (index, service) in SuiteService.allCases.enumerated() {
      guard let address = suite.services[service] else { continue }
      let name = service.rawValue + String(repeating: " ", count: 10 - service.rawValue.count)
      lines.append(
        "  \(palette.colour(name, index + 1)) \(address.rpc)  " + palette.dim("health http://\(address.admin)/readyz"))
    }
    lines += facts.map { "  \($0) \($1)" }
    lines += ["", "Next, in another terminal:", "  \(palette.bold(nextCommand))"]
    if !suite.gateway.isEmpty {
      lines += ["", "Or by HTTP, in any language:"] + curlCommands.map { "  \(palette.bold($0))" }
    }
    lines.append("")
    lines.append("Ctrl-C stops everything.")
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    let stays = keeps ? "kept; `tandem reset` deletes it" : "thrown away at the end"
    let folder = suite.databaseFolder
    var facts = [("database  ", suite.database)]
    if !folder.isEmpty {
      facts.append(
        (
          "data      ",
          "\(folder) (\(stays))" + (relocation.map { "\n             not in \(workspace.data), because \($0)" } ?? "")
        ))
    }
    // The address above has no password; this file has it, for the service's own user.
    let file = ShellWord.quoted(workspace.databaseURLFile(of: .catalog))
    facts.append(("loading   ", "TANDEM_CATALOG_DATABASE_URL_FILE=\(file) catalog load …"))
    return facts + [("authority ", suite.authority), ("mail      ", suite.mail)]
  }

  /// With absolute paths, so that it works in any folder.
  private var nextCommand: String {
    "\(Paths.programFolder)/tandem rpc list --home \(ShellWord.quoted(workspace.home))"
  }

  /// Calls of public methods, which work when they are pasted.
  private var curlCommands: [String] {
    let options = "--cacert \(ShellWord.quoted(suite.authority)) -H 'content-type: application/json'"
    return [
      "curl \(options) https://\(suite.gateway)/tandem.identity.v1.Accounts/ListKeys -d '{}'",
      "curl \(options) https://\(suite.gateway)/grpc.health.v1.Health/Check -d '{\"service\":\"tandem.catalog.v1.Books\"}'",
    ]
  }
}

/// Text for a shell.
enum ShellWord {
  /// Quoted as one word for a shell.
  static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
    return isPlain
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
