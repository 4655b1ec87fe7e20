import Glibc

/// A folder with a file for each secret, named as its setting: `database-url`, `mail-password`. A secret without a file
/// is not set by it.
///
/// A container gets one folder mounted, in which an operator adds, replaces and removes secrets without another change
/// of its configuration.
struct SecretsFolder: Sendable {
  /// The option, and with `TANDEM_` before it the variable, that names the folder.
  static let key = "secrets-folder"

  private let folder: String

  /// - Throws: a one-line error when there is no such folder.
  init(path: String) throws(StartupError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StartupError(usage: "the folder of secrets (\(Self.key)) \(path) cannot be read: \(systemMessage(errno))")
    }
    close(descriptor)
    folder = path
  }

  /// The file of a secret; `nil` where it does not exist, and for a setting that is not a secret.
  func path(of setting: SettingDescription) -> String? {
    let path = "\(folder)/\(setting.key)"
    return setting.fileKey != nil && access(path, F_OK) == 0 ? path : nil
  }

  /// - Throws: a one-line error when the file cannot be read, or is empty because the program that writes it has
  ///   failed.
  func text(at path: String) throws(StartupError) -> String {
    let text = try secret(at: path, purpose: "the secret")
    guard !text.isEmpty else { throw StartupError(usage: "the secret \(path) is empty: write it, or remove the file") }
    return text
  }
}

/// The content of a secret's file, without the line break that editors and `echo` end it with.
func secret(at path: String, purpose: String) throws(StartupError) -> String {
  let bytes = try readFile(path, purpose: purpose)
  return String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
}
