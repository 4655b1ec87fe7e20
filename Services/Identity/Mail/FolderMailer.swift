import Environment
import Cryptography
import Identifiers
import WorkerPool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes every mail to a folder as an `.eml` file, for development and tests.
///
/// A file appears complete or not at all; names sort by creation time.
package struct FolderMailer: Mailer {
  private let folder: String
  private let sender: MailAddress
  private let clock: any WallClock
  private let pool = BoundedPool(label: "tandem.mail", workers: 1, places: 1_024)

  /// Creates the folder and its parents if they are missing.
  package init(folder: String, from sender: MailAddress, clock: any WallClock) throws(MailFailure) {
    self.folder = folder
    self.sender = sender
    self.clock = clock
    try Self.makeFolder(folder)
  }

  package func send(_ mail: Mail) async throws(MailFailure) {
    let (folder, message) = (folder, Message(mail, from: sender, at: clock.now))
    do {
      try await pool.run { try Self.put(message.bytes, as: "\(mail.id).eml", in: folder) }
    } catch let failure as MailFailure {
      throw failure
    } catch {
      throw .temporary("\(error)")
    }
  }

  private static func put(_ bytes: [UInt8], as name: String, in folder: String) throws(MailFailure) {
    // The leading dot hides the unfinished file from programs that look for *.eml.
    let unfinished = "\(folder)/.\(name).part"
    let file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("cannot create \(unfinished)") }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: written), $0.count - written) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot write \(unfinished)") }
      written += count
    }
    guard fsync(file) == 0, rename(unfinished, "\(folder)/\(name)") == 0 else {
      throw failure("cannot finish \(folder)/\(name)")
    }
  }

  private static func makeFolder(_ folder: String) throws(MailFailure) {
    var path = folder.hasPrefix("/") ? "/" : ""
    for part in folder.split(separator: "/") {
      path += "\(part)/"
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("cannot make the folder \(path)") }
    }
    guard access(folder, W_OK | X_OK) == 0 else { throw failure("cannot write into the folder \(folder)") }
  }

  private static func failure(_ what: String) -> MailFailure {
    .temporary("\(what): \(String(cString: strerror(errno)))")
  }
}
