import ConfinedPrograms
import Glibc
import Synchronization

/// One run of a program that gets bytes and returns bytes, and that cannot harm this process whatever it does.
///
/// It inherits no descriptor but its socket, no signal mask and no environment.
final class ProgramRun: Sendable {
  /// How a run ended.
  enum Outcome: Sendable, Equatable {
    case exited(code: Int32, answer: [UInt8])
    case killed(signal: Int32)
    /// It was killed by this process, because its time was up.
    case outOfTime
    /// It was killed by this process, because its output was too long.
    case tooMuchSaid
  }

  /// The program could not be started.
  struct Failure: Error, CustomStringConvertible {
    let operation: String
    let code: Int32

    var description: String { "\(operation): error \(code) of the system" }
  }

  private struct State {
    /// Set while the process exists: its number cannot be reused until it has been waited for.
    var process: pid_t?
    var isGivenUp = false
  }

  private let program: String
  private let arguments: [String]
  private let state = Mutex(State())

  init(_ program: String, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Kills the program, now or as soon as it is started.
  func giveUp() {
    state.withLock { state in
      state.isGivenUp = true
      if let process = state.process { kill(process, SIGKILL) }
    }
  }

  /// Sends `input` to the program and waits for it to end. Blocks the thread; call it once.
  func outcome(of input: [UInt8], maxAnswerLength: Int, timeLimit: Duration) throws(Failure) -> Outcome {
    let deadline = ContinuousClock.now + timeLimit
    let socket = try start()
    var talk = Talk(socket: socket, input: input, maxAnswerLength: maxAnswerLength)
    let end = talk.run(until: deadline)
    close(socket)
    if end != .answered { giveUp() }
    let status = waitForEnd()
    switch end {
    case .late: return .outOfTime
    case .tooLong: return .tooMuchSaid
    case .answered: break
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(code: status >> 8 & 0xFF, answer: talk.answer) : .killed(signal: signal)
  }

  /// Starts the program and returns this side of its only socket.
  private func start() throws(Failure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(operation: "making a socket", code: errno) }
    defer { close(ends[1]) }
    let flags = fcntl(ends[0], F_GETFL)
    _ = fcntl(ends[0], F_SETFL, flags | O_NONBLOCK)
    let (process, code) = ChildProcess.spawn(program, arguments, talkingTo: ends[1])
    guard code == 0 else {
      close(ends[0])
      throw Failure(operation: "starting \(program)", code: code)
    }
    state.withLock { state in
      state.process = process
      if state.isGivenUp { kill(process, SIGKILL) }
    }
    return ends[0]
  }

  /// Waits for the process; returns its status as `waitpid` does.
  private func waitForEnd() -> Int32 {
    guard let process = state.withLock({ $0.process }) else { return 0 }
    var information = siginfo_t()
    // Waits without reaping, so that the number cannot be reused before it is cleared here.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return state.withLock { state in
      state.process = nil
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return status
    }
  }
}

/// The exchange with a program: writes all of the input, closes that direction, and reads the output to its end.
private struct Talk {
  enum End {
    case answered
    case late
    case tooLong
  }

  let socket: Int32
  let input: [UInt8]
  let maxAnswerLength: Int
  private var sent = 0
  private(set) var answer: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(socket: Int32, input: [UInt8], maxAnswerLength: Int) {
    (self.socket, self.input, self.maxAnswerLength) = (socket, input, maxAnswerLength)
  }

  mutating func run(until deadline: ContinuousClock.Instant) -> End {
    var isSending = true
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return .late }
      var interest = pollfd(fd: socket, events: Int16(POLLIN | (isSending ? POLLOUT : 0)), revents: 0)
      // At least a millisecond, so that the last one is not spent in a busy loop.
      guard poll(&interest, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1)) > 0 else { continue }
      if isSending, interest.revents & Int16(POLLOUT) != 0 {
        isSending = send()
        if !isSending { shutdown(socket, Int32(SHUT_WR)) }
      }
      if interest.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        guard receive() else { return .answered }
        guard answer.count <= maxAnswerLength else { return .tooLong }
      }
    }
  }

  /// Sends some of the input; false when none is left, or the program does not read it any more.
  private mutating func send() -> Bool {
    let count = input.withUnsafeBytes { bytes in
      Glibc.send(
        socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    sent += count
    return sent < input.count
  }

  /// Reads some of the output; false at its end.
  private mutating func receive() -> Bool {
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0 { answer.append(contentsOf: buffer[..<count]) }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
  }
}
