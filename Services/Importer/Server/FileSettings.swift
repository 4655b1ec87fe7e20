import ConfinedPrograms
import Glibc
import ImporterOperations
import Logging
import ServiceRuntime
import SystemCallFilter

/// The settings of uploaded files.
enum FileSettings {
  /// Whether files are read where the kernel filters no system calls.
  enum Filter: String, Sendable, CaseIterable {
    case required
    case optional
  }

  private static let fileReader = Setting<String?>.optional(
    "file-reader", .path,
    meaning: "the program that reads uploaded files; without it the activity-file-reader beside this program")

  private static let fileReaders = Setting<Int>(
    "file-readers", .number(1...64), default: "4", meaning: "files that are read at a time, each in a process")

  private static let fileTimeout = Setting<Duration>(
    "file-timeout", .duration, default: "30m", meaning: "how long one file may take to arrive and be read")

  private static let fileIdleTimeout = Setting<Duration>(
    "file-idle-timeout", .duration, default: "60s",
    meaning: "how long an upload may send nothing while the service waits for it, before its first bytes and after them"
  )

  private static let fileFilter = Setting<Filter>(
    "file-filter", .choice, default: "required",
    meaning: "whether files are read only where the kernel filters the reader's system calls (seccomp): "
      + "required, or optional, which does without where it cannot be had")

  static let all: [SettingDescription] = [
    fileReader.description, fileReaders.description, fileTimeout.description, fileIdleTimeout.description,
    fileFilter.description,
  ]

  /// Reads files as configured.
  ///
  /// - Throws: when the reader cannot be run, or not as safely as the settings require.
  static func reading(_ runtime: Runtime) throws(StartupError) -> FileReading {
    let settings = runtime.settings
    let program = settings[fileReader] ?? ChildProcess.beside("activity-file-reader")
    guard access(program, X_OK) == 0 else { throw StartupError(usage: "setting file-reader: cannot run \(program)") }
    if let complaint = SystemCallFilter.complaint {
      guard settings[fileFilter] == .optional else {
        throw StartupError(
          usage: "setting file-filter: \(complaint); let the container's profile allow the call seccomp, or set "
            + "file-filter to optional: files are then read without that protection")
      }
      runtime.logger.warning("files are read without a filter of system calls", metadata: ["reason": "\(complaint)"])
    }
    return FileReading(
      program: program, readers: settings[fileReaders], timeLimit: settings[fileTimeout],
      idleLimit: settings[fileIdleTimeout],
      unreadBytes: settings[LimitSettings.unreadMebibytesPerStream] << 20,
      filter: settings[fileFilter] == .required ? .required : .optional, logger: runtime.logger)
  }
}
