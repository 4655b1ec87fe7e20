import ConfinedPrograms
import Glibc
import WorkerPool

/// Makes clean pictures of untrusted files.
///
/// Each file is decoded by a process of its own, with limits of its memory, processor time and files, so whatever a
/// file does to its decoder, this process and the next file are unaffected. The number of processes and of waiting
/// files is bounded; each run takes a thread of the pool and none of an event loop.
public struct ImageDecoder: Sendable {
  private let program: String
  private let timeLimit: Duration
  private let filter: DecoderFilter
  private let pool: BoundedPool

  /// - Parameters:
  ///   - program: the path of `image-decoder`.
  ///   - decoders: processes at a time.
  ///   - places: files that may wait for one.
  ///   - timeLimit: how long one file may take before its decoder is killed.
  ///   - filter: whether decoders work only where the kernel filters their system calls.
  public init(
    program: String, decoders: Int, places: Int, timeLimit: Duration, filter: DecoderFilter = .required
  ) {
    self.program = program
    self.filter = filter
    self.timeLimit = timeLimit
    pool = BoundedPool(label: "tandem.images", workers: decoders, places: places)
  }

  /// The path of `image-decoder` in the folder of the running program.
  public static var programBesideThisOne: String { ChildProcess.beside("image-decoder") }

  /// The picture in every size, upright, in sRGB or grey and without metadata.
  ///
  /// Cancelling the task kills its decoder.
  /// - Parameter client: on whose behalf: clients take turns, and one has half of the decoders at most.
  /// - Throws: `UnsupportedImage`, `ImageDecoderFailure`, `CancellationError`.
  public func renditions(of file: [UInt8], for client: String? = nil) async throws -> [Rendition] {
    guard file.count <= ImageLimits.fileBytes else { throw UnsupportedImage.tooLong }
    guard let format = ImageFormat(content: file) else { throw UnsupportedImage.otherFormat }
    let (run, timeLimit) = (ProgramRun(program, [format.rawValue] + filter.arguments), timeLimit)
    let outcome = try await withTaskCancellationHandler {
      do {
        return try await pool.run(for: client) {
          try run.outcome(of: file, maxAnswerLength: DecoderAnswer.maxLength, timeLimit: timeLimit)
        }
      } catch is BoundedPool.Overloaded {
        throw ImageDecoderFailure.overloaded
      } catch let failure as ProgramRun.Failure {
        throw ImageDecoderFailure.unfit(failure.description)
      }
    } onCancel: {
      run.giveUp()
    }
    try Task.checkCancellation()
    return try Self.renditions(outcome)
  }

  private static func renditions(_ outcome: ProgramRun.Outcome) throws -> [Rendition] {
    switch outcome {
    case .outOfTime: throw UnsupportedImage.endless
    case .tooMuchSaid: throw UnsupportedImage.unreadable
    case .killed(let signal): throw UnsupportedImage.deadly(signal: signal)
    case .exited(let code, let answer):
      switch DecoderAnswer.ExitCode(rawValue: code) {
      case .done:
        guard let renditions = DecoderAnswer.decode(answer) else { throw UnsupportedImage.unreadable }
        return renditions
      case .unreadable: throw UnsupportedImage.unreadable
      case .tooManyPixels: throw UnsupportedImage.tooManyPixels
      case .unfit, nil: throw ImageDecoderFailure.unfit("the image decoder ended with \(code)")
      }
    }
  }
}

/// Whether a decoder works where the kernel does not filter its system calls.
public enum DecoderFilter: String, Sendable, CaseIterable {
  /// It works only with the filter.
  case required
  /// It works without the filter too, within its other limits: a file that takes it over can then open files and
  /// connect to servers.
  case optional

  /// The arguments for the decoder.
  fileprivate var arguments: [String] { self == .required ? [] : [rawValue] }
}
