import Environment
import Glibc
import Base64

/// Passwords and keys of a workspace: random, created once, stored in files that only their owner can read.
struct Secrets: Sendable {
  private let workspace: Workspace

  init(_ workspace: Workspace) {
    self.workspace = workspace
  }

  /// A password of 192 bits, in letters and digits, which need no escapes in URLs.
  func password(named name: String) throws(Complaint) -> String {
    try kept("\(name)_password") { SystemRandomness().bytes(24).hexadecimal }
  }

  /// The text of a secret; if it does not exist, `make` creates it.
  func kept(_ name: String, _ make: () -> String) throws(Complaint) -> String {
    let path = "\(workspace.secrets)/\(name)"
    if let text = Files.text(path), !text.isEmpty { return text }
    let text = make()
    try Files.write(text, to: path)
    return text
  }

  /// The file of an existing secret.
  func path(_ name: String) -> String { "\(workspace.secrets)/\(name)" }
}
