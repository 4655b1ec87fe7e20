import Glibc
import Images
import Logging
public import Pictures
public import ServiceRuntime
import SystemCallFilter

/// The settings of a service that accepts pictures from users: it adds ``all`` to its own.
public enum PictureSettings {
  private static let imageDecoder = Setting<String?>.optional(
    "image-decoder", .path,
    meaning: "the program that decodes pictures; without it the image-decoder beside this program")

  private static let imageDecoders = Setting<Int>(
    "image-decoders", .number(1...64), default: "2", meaning: "pictures that are decoded at a time, each in a process")

  private static let imageTimeout = Setting<Duration>(
    "image-timeout", .duration, default: "30s", meaning: "how long one picture may take to decode")

  private static let imageFilter = Setting<DecoderFilter>(
    "image-filter", .choice, default: "required",
    meaning: "whether pictures are decoded only where the kernel filters the decoder's system calls (seccomp): "
      + "required, or optional, which does without where it cannot be had")

  private static let uploadTimeout = Setting<Duration>(
    "upload-timeout", .duration, default: "60s", meaning: "how long a picture may take to arrive")

  /// Files that may wait for a decoder.
  private static let places = 64

  public static let all: [SettingDescription] = [
    imageDecoder.description, imageDecoders.description, imageTimeout.description, imageFilter.description,
    uploadTimeout.description,
  ]

  /// Receives pictures as configured, into the service's own database.
  ///
  /// - Throws: when the decoder cannot be run, or not as safely as the settings require; so this is known before a
  ///   picture is uploaded.
  public static func uploads(_ runtime: Runtime) throws(StartupError) -> PictureUploads {
    let settings = runtime.settings
    let program = settings[imageDecoder] ?? ImageDecoder.programBesideThisOne
    guard access(program, X_OK) == 0 else { throw StartupError(usage: "setting image-decoder: cannot run \(program)") }
    try checkFilter(settings[imageFilter], runtime.logger)
    let decoder = ImageDecoder(
      program: program, decoders: settings[imageDecoders], places: places, timeLimit: settings[imageTimeout],
      filter: settings[imageFilter])
    return PictureUploads(
      database: runtime.database, clock: runtime.environment.clock, decoder: decoder,
      timeLimit: settings[uploadTimeout],
      logger: runtime.logger)
  }

  private static func checkFilter(_ filter: DecoderFilter, _ logger: Logger) throws(StartupError) {
    guard let complaint = SystemCallFilter.complaint else { return }
    guard filter == .optional else {
      throw StartupError(
        usage: "setting image-filter: \(complaint); let the container's profile allow the call seccomp, or run on a "
          + "kernel that has it, or set image-filter to optional: pictures are then decoded without that protection")
    }
    logger.warning("pictures are decoded without a filter of system calls", metadata: ["reason": "\(complaint)"])
  }
}
