import Glibc

/// A folder with a file for each secret, named as its setting: `database-url`, `mail-password`. What has no file there is not set by it.
///
/// A container gets one folder mounted, in which an operator adds, replaces and removes secrets without a word anywhere else.
struct SecretsFolder: Sendable {
  /// The option, and with `TANDEM_` before it the variable, that names the folder.
  static let key = "secrets-folder"

  private let folder: String

  /// - Throws: one line when there is no such folder.
  init(path: String) throws(StartupError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StartupError(usage: "the folder of secrets (\(Self.key)) \(path) cannot be read: \(systemMessage(errno))")
    }
    close(descriptor)
    folder = path
  }

  /// The file of a secret that is there; `nil` for what is missing, and for what is no secret.
  func path(of setting: SettingDescription) -> String? {
    let path = "\(folder)/\(setting.key)"
    return setting.fileKey != nil && access(path, F_OK) == 0 ? path : nil
  }

  /// - Throws: one line when the file cannot be read, or is empty: something that was to write it did not.
  func text(at path: String) throws(StartupError) -> String {
    let text = try secret(at: path, purpose: "the secret")
    guard !text.isEmpty else { throw StartupError(usage: "the secret \(path) is empty: write it, or remove the file") }
    return text
  }
}

/// What a secret's file holds, without the line break that editors and `echo` end it with.
func secret(at path: String, purpose: String) throws(StartupError) -> String {
  let bytes = try readFile(path, purpose: purpose)
  return String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
}
