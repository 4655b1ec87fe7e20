import ProtobufC

/// What a job's code needs to know, as bytes that are kept until the job is done.
///
/// Releases overlap, and jobs are scheduled months ahead: what an old release wrote, later ones must be able to read.
public protocol JobPayload: Sendable {
  /// Reads what ``jobBytes`` gave, perhaps long ago.
  init(jobBytes: [UInt8]) throws
  /// At most 64 KiB.
  var jobBytes: [UInt8] { get }
}

/// Bytes as they are.
extension [UInt8]: JobPayload {
  /// Takes them.
  public init(jobBytes: [UInt8]) { self = jobBytes }
  /// The same.
  public var jobBytes: [UInt8] { self }
}

/// A text in UTF-8, such as an id.
extension String: JobPayload {
  /// Reads the text; what is no UTF-8 is replaced.
  public init(jobBytes: [UInt8]) { self = String(decoding: jobBytes, as: UTF8.self) }
  /// Its UTF-8.
  public var jobBytes: [UInt8] { Array(utf8) }
}

/// A protobuf message is a payload as soon as it says so: `extension DueReminder: JobPayload {}`.
extension JobPayload where Self: ProtobufMessage {
  /// Decodes the message.
  public init(jobBytes: [UInt8]) throws { try self.init(serialized: jobBytes) }
  /// The message's bytes.
  public var jobBytes: [UInt8] { serialized() }
}

/// One sort of job: its name in the database, what it carries, and what it may cost.
///
/// ```swift
/// extension JobKind where Payload == String {
///   static let dueReminder = JobKind("due_reminder")
/// }
/// ```
public struct JobKind<Payload: JobPayload>: Sendable {
  /// Unique in the service, `[a-z][a-z0-9_]{0,59}`; never changed while jobs of it may be waiting.
  public let name: String
  /// What it may cost.
  public let limits: JobLimits

  /// Names a kind.
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
  /// How long one run may take; then it is cancelled, and has failed.
  public var duration: Duration = .seconds(30)
  /// Runs before a job that fails is given up, those included that ended with their process.
  public var attempts = 20
  /// How long after its time a job that fails is tried again, or after it was scheduled or an operator had it tried again, if that was later;
  /// what nobody began within that time is run once in any case.
  public var age: Duration = .seconds(3 * 86_400)
  /// The pause after the first failure; it doubles with each further one.
  public var firstPause: Duration = .seconds(5)
  /// The longest pause.
  public var maxPause: Duration = .seconds(3_600)
  /// Jobs of the kind that one replica runs at a time.
  public var atOnce = 4

  /// The values above.
  public init() {}

  /// How long a replica has a job to itself. When it has not said by then how the run went, another takes the job.
  ///
  /// Twice the longest run, so that there is time to say it.
  var lease: Duration { duration * 2 }

  /// How long to wait after so many failed runs: half of it is certain, half is chance, so that jobs which failed together do not come back
  /// together.
  ///
  /// - Parameter chance: from 0 to 1.
  func pause(after attempts: Int, chance: Double) -> Duration {
    let doublings = min(max(0, attempts - 1), 30)
    let full = min(firstPause * (1 << doublings), maxPause)
    return full * (0.5 + chance / 2)
  }
}
