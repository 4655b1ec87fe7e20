import Glibc
import TTRPC
import UnixSignals

/// Players side by side, until all are done or Ctrl-C.
struct Replay: Sendable {
  let players: [ReplayPlayer]
  let groups: [String]

  struct Outcome: Sendable {
    var isInterrupted = false
    /// Why a user could not go on; the others did.
    var failure: Complaint?
  }

  private enum Event: Sendable {
    case played(Complaint?)
    case interrupted
  }

  func run() async throws -> Outcome {
    if !groups.isEmpty {
      for player in players {
        do { try await player.user.share(with: groups) } catch let status as Status {
          throw Complaint(
            "\(player.user.name) cannot share with the groups: \(status.text(.ofErrors))", exitStatus: status.exitStatus
          )
        }
      }
    }
    let interrupts = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Event?.self) { tasks in
      tasks.addTask {
        for await _ in interrupts { return .interrupted }
        return nil
      }
      tasks.addTask {
        try await showProgress()
        return nil
      }
      for player in players { tasks.addTask { .played(try await play(player)) } }
      defer { tasks.cancelAll() }
      var (outcome, playing) = (Outcome(), players.count)
      while playing > 0, let event = try await tasks.next() {
        switch event {
        case .interrupted:
          outcome.isInterrupted = true
          return outcome
        case .played(let failure):
          outcome.failure = outcome.failure ?? failure
          playing -= 1
        case nil: break
        }
      }
      return outcome
    }
  }

  /// Why the user could not go on; `nil` once all is played.
  private func play(_ player: ReplayPlayer) async throws -> Complaint? {
    do {
      try await player.play()
      return nil
    } catch let status as Status {
      return Complaint("\(player.user.name) cannot go on: \(status.text(.ofErrors))", exitStatus: status.exitStatus)
    } catch let complaint as Complaint { return complaint }
  }

  /// On a terminal a line that changes; elsewhere a line now and then.
  private func showProgress() async throws {
    let isTerminal = isatty(STDERR_FILENO) == 1
    defer { if isTerminal { write("\r\u{1B}[K", to: STDERR_FILENO) } }
    while true {
      try await Task.sleep(for: isTerminal ? .milliseconds(500) : .seconds(30))
      let line = ReplayReport.progress(players)
      if isTerminal { write("\r\u{1B}[K\(line)", to: STDERR_FILENO) } else { tell(line) }
    }
  }
}
