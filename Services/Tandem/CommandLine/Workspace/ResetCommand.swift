import ArgumentParser
import Glibc

/// `tandem reset`.
struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Delete all that `tandem up` keeps: data, keys, certificates, mail.",
    usage: """
      tandem reset
      tandem reset --yes
      """,
    discussion: """
      Asks first on a terminal; without one, --yes must say so. A database of your own (TANDEM_DATABASE_URL) stays as \
      it is.

      Exit status: 0 deleted, or nothing was there; 1 not deleted; 2 nobody could be asked.
      """)

  @OptionGroup var place: HomeOption

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    let workspace = Workspace(home: Workspace.home(named: place.home))
    guard Files.exists(workspace.home) else { return tell("there is nothing in \(Paths.shown(workspace.home))") }
    try requireOurs(workspace)
    let lock = try FolderLock(workspace)
    let folders = [workspace.home] + PrivateDatabase.relocatedFolders(of: workspace).filter(Files.exists)
    guard try yes || confirm(folders) else { throw Complaint("nothing was deleted") }
    try withExtendedLifetime(lock) {
      for folder in folders.reversed() { try Files.remove(folder) }
    }
    tell("deleted \(folders.joined(separator: " and "))")
  }

  /// Refuses a folder that is not a workspace, named by mistake.
  private func requireOurs(_ workspace: Workspace) throws(Complaint) {
    let known = [
      "lock", "run", "secrets", "logs", "samples", "certificates", "mail", "postgres", "state.json", "completions",
      ".gitignore",
    ]
    let others = Files.names(in: workspace.home).filter { !known.contains($0) }
    guard !others.isEmpty else { return }
    throw Complaint(
      "\(workspace.home) holds \(others[0]), which `tandem up` did not make: it is not deleted; remove the file first")
  }

  private func confirm(_ folders: [String]) throws(Complaint) -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw Complaint(
        usage: "reset deletes \(folders.joined(separator: " and ")): say --yes, there is no terminal to ask")
    }
    write("Delete \(folders.joined(separator: " and ")) with all data? [y/N] ", to: STDERR_FILENO)
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}
