import ConfinedPrograms
import FileContents
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A process that reads one file.
final class FileReader: Sendable {
  /// Sends a part of the file to the process.
  typealias Send = @Sendable ([UInt8]) async throws -> Void
  /// One of the contents of its output.
  typealias Frame = (place: ContentFrames.Place, content: [UInt8])

  /// What a content is.
  enum Content: Sendable {
    case part(activities: Int)
    case last(ActivityFileContent)
  }

  private let process: pid_t
  private let socket: Int32
  private let status = Mutex<Int32?>(nil)

  init(_ program: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw FileReaderFailure.notStarted("making a socket: error \(errno) of the system")
    }
    defer { close(ends[1]) }
    let (process, code) = ChildProcess.spawn(program, arguments, talkingTo: ends[1])
    guard code == 0 else {
      close(ends[0])
      throw FileReaderFailure.notStarted("starting \(program): error \(code) of the system")
    }
    (self.process, socket) = (process, ends[0])
  }

  /// Sends what `feed` sends, and returns what the file contains; `nil` for output that is none.
  ///
  /// - Parameters:
  ///   - feed: sends chunks until the file ends; its errors end the reading and are thrown.
  ///   - take: takes contents, one after the other; the process waits for it, so that one is in memory. `nil` for one that is none.
  func exchange(
    _ feed: @escaping @Sendable (Send) async throws -> Void,
    taking take: @escaping @Sendable (Frame) async throws -> Content?
  ) async throws -> ReadFile? {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .withConnectedSocket(socket) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      // A process that has seen enough ends before the file does: the rest need not arrive.
      try await beside([
        {
          let isOpen = Mutex(true)
          try await feed { chunk in
            guard isOpen.withLock({ $0 }) else { return }
            do { try await outbound.write(ByteBuffer(bytes: chunk)) } catch {
              // It has read enough: the rest of the file is received and thrown away.
              isOpen.withLock { $0 = false }
            }
          }
          outbound.finish()
        }
      ]) { try await Self.output(inbound, taking: take) }
    }
  }

  private static func output(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
    taking take: @Sendable (Frame) async throws -> Content?
  ) async throws -> ReadFile? {
    var (frames, hasParts, activities) = (ContentFrames(), false, 0)
    do {
      for try await buffer in inbound {
        frames.append(buffer.readableBytesView)
        while let frame = try frames.next() {
          switch try await take(frame) {
          case .part(activities: let count):
            hasParts = true
            activities += count
            guard activities <= FileLimits.activities else { return nil }
          case .last(let content): return ReadFile(content: content, hasParts: hasParts)
          case nil: return nil
          }
        }
      }
    } catch is ContentFrames.Malformed {
      return nil
    } catch let error as IOError where error.errnoCode == ECONNRESET {
      // It died with input that it had not read: the same as one that died with none.
    }
    return nil
  }

  /// Kills the process, if it still runs, and reaps it.
  func end() { _ = signal() }

  /// The signal that ended the process; 0 if none did.
  func signal() -> Int32 {
    status.withLock { status in
      if let status { return status & 0x7F }
      var ended: Int32 = 0
      // It has closed its output, or is not wanted any more: it ends at once.
      if waitpid(process, &ended, WNOHANG) == 0 {
        kill(process, SIGKILL)
        while waitpid(process, &ended, 0) < 0, errno == EINTR {}
      }
      status = ended
      return ended & 0x7F
    }
  }
}
