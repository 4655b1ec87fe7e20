import CSeccomp

/// The system calls that a process may make from some moment on: seccomp's mode 2, which no code in the process can
/// undo (seccomp(2)).
///
/// A program of classic BPF that the kernel runs before each call. It is written out here rather than made by
/// libseccomp: it is a list of numbers, and the library would be one more to build with, to ship, and to load into the
/// very process that is to be small.
public struct SystemCallFilter: Sendable {
  /// The filter could not be installed.
  public struct Unavailable: Error, Sendable, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32

    /// For the log.
    public var description: String { "the kernel does not filter system calls (seccomp): error \(code)" }
  }

  /// What the kernel does with a call.
  enum Verdict: Equatable {
    case allow
    /// The call does nothing and fails with this error.
    case refuse(Int32)
    /// The process ends by SIGSYS.
    case kill

    var code: UInt32 {
      switch self {
      case .allow: SECCOMP_RET_ALLOW
      case .refuse(let error): SECCOMP_RET_ERRNO | UInt32(error)
      case .kill: SECCOMP_RET_KILL_PROCESS
      }
    }
  }

  /// The check of a call's first argument, of which the lower half is compared.
  enum Condition: Equatable {
    case equals(UInt32)
    /// All bits of `required` are set, and none beside those of `allowed`.
    case flags(required: UInt32, allowed: UInt32)
  }

  /// The verdict on calls of one number.
  struct Rule {
    let call: Int32
    var condition: Condition?
    let verdict: Verdict
    /// The verdict where the condition does not hold.
    var otherwise = Verdict.kill
  }

  private let rules: [Rule]

  /// A filter that kills for every call that no rule names; the rules for frequent calls come first.
  init(_ rules: [Rule]) { self.rules = rules }

  /// Why filters cannot be installed here; `nil` when they can.
  ///
  /// The check changes nothing. It also notices a container's profile that forbids filters.
  public static var complaint: Unavailable? {
    let code = tandem_seccomp_has_filters()
    return code == 0 ? nil : Unavailable(code: code)
  }

  /// Applies the filter from now on to the process, all its threads, and everything that it starts.
  public func install() throws(Unavailable) {
    var program = instructions
    let code = program.withUnsafeMutableBufferPointer { instructions in
      var header = sock_fprog(len: UInt16(instructions.count), filter: instructions.baseAddress)
      return tandem_seccomp_install(&header)
    }
    guard code == 0 else { throw Unavailable(code: code) }
  }

  /// The BPF program. Jumps skip one rule at most, so none can be too long.
  private var instructions: [sock_filter] {
    // A call number of another architecture, such as 32 bit, means something else. Numbers of x32 have a bit that no
    // rule's number has.
    [.load(.architecture), .jump(ifEqual: tandem_audit_architecture, over: 1), .end(.kill), .load(.number)]
      + rules.flatMap(Self.instructions) + [.end(.kill)]
  }

  private static func instructions(of rule: Rule) -> [sock_filter] {
    let body: [sock_filter] =
      switch rule.condition {
      case nil: [.end(rule.verdict)]
      case .equals(let value):
        [.load(.firstArgument), .jump(ifEqual: value, over: 1), .end(rule.otherwise), .end(rule.verdict)]
      case .flags(let required, let allowed):
        [.load(.firstArgument), .jump(ifAnyOf: ~allowed, over: 2), .mask(required)]
          + [.jump(ifEqual: required, over: 1), .end(rule.otherwise), .end(rule.verdict)]
      }
    return [.jump(unlessEqual: UInt32(bitPattern: rule.call), over: UInt8(body.count))] + body
  }
}

/// Offsets in bytes of what a filter reads (struct seccomp_data); both architectures store the lower half first.
private enum Field: UInt32 {
  case number = 0
  case architecture = 4
  case firstArgument = 16
}

extension sock_filter {
  fileprivate static func load(_ field: Field) -> sock_filter {
    sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: field.rawValue)
  }

  fileprivate static func mask(_ bits: UInt32) -> sock_filter {
    sock_filter(code: UInt16(BPF_ALU | BPF_AND | BPF_K), jt: 0, jf: 0, k: bits)
  }

  fileprivate static func jump(ifEqual value: UInt32, over count: UInt8) -> sock_filter {
    sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: count, jf: 0, k: value)
  }

  fileprivate static func jump(unlessEqual value: UInt32, over count: UInt8) -> sock_filter {
    sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: count, k: value)
  }

  fileprivate static func jump(ifAnyOf bits: UInt32, over count: UInt8) -> sock_filter {
    sock_filter(code: UInt16(BPF_JMP | BPF_JSET | BPF_K), jt: count, jf: 0, k: bits)
  }

  fileprivate static func end(_ verdict: SystemCallFilter.Verdict) -> sock_filter {
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: verdict.code)
  }
}
