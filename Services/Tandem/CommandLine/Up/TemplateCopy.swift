import Glibc

/// Begins a workspace with the database and the secrets of another one, whose suite does not run.
struct TemplateCopy {
  private let template: Workspace
  private let workspace: Workspace

  init(_ template: Workspace, to workspace: Workspace) {
    (self.template, self.workspace) = (template, workspace)
  }

  /// The passwords that the database knows, and the keys of what is sealed in it.
  func copySecrets() throws(Complaint) {
    for name in Files.names(in: template.secrets) where !name.hasSuffix("_database_url") {
      guard let text = Files.text("\(template.secrets)/\(name)") else { continue }
      try Files.write(text, to: "\(workspace.secrets)/\(name)")
    }
    if let samples = Files.text(template.samples) { try Files.write(samples, to: workspace.samples, mode: 0o644) }
  }

  /// The files of the database, with their owner.
  func copyDatabase(to database: PrivateDatabase) async throws(Complaint) {
    let source = "\(Self.databaseFolder(of: template))/data"
    try Files.makeFolder(database.folder, mode: 0o755)
    let copy = ChildPlan(
      name: "cp", program: "/bin/cp", arguments: ["-a", "--reflink=auto", source, "\(database.folder)/data"])
    let output = try await CommandOutput(running: copy)
    guard output.end == .exited(0) else {
      throw Complaint("the database cannot be copied to \(database.folder): \(output.text.lastLine)")
    }
  }

  private static func databaseFolder(of template: Workspace) -> String {
    let folders = ["\(template.data)/postgres"] + PrivateDatabase.relocatedFolders(of: template)
    return folders.first { Files.exists("\($0)/data") } ?? folders[0]
  }
}
