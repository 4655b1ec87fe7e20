import ProtobufC

/// The input of a job's handler, as bytes that are stored until the job is done.
///
/// Releases overlap, and jobs are scheduled months ahead: later releases must be able to read what an old one wrote.
public protocol JobPayload: Sendable {
  /// Decodes ``jobBytes``, possibly written long ago.
  init(jobBytes: [UInt8]) throws
  /// At most 64 KiB.
  var jobBytes: [UInt8] { get }
}

/// Bytes unchanged.
extension [UInt8]: JobPayload {
  public init(jobBytes: [UInt8]) { self = jobBytes }
  public var jobBytes: [UInt8] { self }
}

/// A text in UTF-8, such as an id.
extension String: JobPayload {
  /// Decodes the text; invalid UTF-8 is replaced.
  public init(jobBytes: [UInt8]) { self = String(decoding: jobBytes, as: UTF8.self) }
  public var jobBytes: [UInt8] { Array(utf8) }
}

/// A protobuf message is a payload once it declares so: `extension DueReminder: JobPayload {}`.
extension JobPayload where Self: ProtobufMessage {
  public init(jobBytes: [UInt8]) throws { try self.init(serialized: jobBytes) }
  public var jobBytes: [UInt8] { serialized() }
}

/// A kind of job: its name in the database, its payload, and its limits.
///
/// ```swift
/// extension JobKind where Payload == String {
///   static let dueReminder = JobKind("due_reminder")
/// }
/// ```
public struct JobKind<Payload: JobPayload>: Sendable {
  /// Unique in the service, `[a-z][a-z0-9_]{0,59}`; never changed while jobs of it may be waiting.
  public let name: String
  public let limits: JobLimits

  public init(_ name: String, _ limits: JobLimits = JobLimits()) {
    precondition(Self.isName(name), "\(name) is no name for a kind of job: [a-z][a-z0-9_]{0,59}")
    self.name = name
    self.limits = limits
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return name.utf8.count <= 60
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}

/// How long a kind's jobs may take, how often they are tried, and how many run at a time.
public struct JobLimits: Sendable, Hashable {
  /// How long one run may take; after that it is cancelled, and has failed.
  public var duration: Duration = .seconds(30)
  /// Runs before a failing job is given up, including those that ended with their process.
  public var attempts = 20
  /// How long a failing job is retried, counted from its due time, or from when it was scheduled or an operator retried
  /// it, if that was later; a job that no replica began within that time is run once in any case.
  public var age: Duration = .seconds(3 * 86_400)
  /// The pause after the first failure; it doubles with each further one.
  public var firstPause: Duration = .seconds(5)
  /// The longest pause.
  public var maxPause: Duration = .seconds(3_600)
  /// Jobs of the kind that one replica runs at a time.
  public var atOnce = 4
  /// Whose places the kind's jobs take.
  public var places = Places.shared

  /// Whose places a kind's jobs take.
  public enum Places: Sendable, Hashable {
    /// Those of all kinds together (``JobWorkerLimits/atOnce``).
    case shared
    /// The kind's own, beside these: for jobs that wait for servers elsewhere, which may hang without holding up other kinds.
    case own
  }

  public init() {}

  /// How long a replica owns a job. When it has not stored the result by then, another takes the job.
  ///
  /// Twice the longest run, so that there is time to store the result.
  var lease: Duration { duration * 2 }

  /// The wait after `attempts` failed runs: half of it is fixed, half is random, so that jobs which failed together do
  /// not come back together.
  ///
  /// - Parameter chance: a random number from 0 to 1.
  func pause(after attempts: Int, chance: Double) -> Duration {
    let doublings = min(max(0, attempts - 1), 30)
    let full = min(firstPause * (1 << doublings), maxPause)
    return full * (0.5 + chance / 2)
  }
}
