import Glibc

/// Takes finished lines without waiting and writes them to a descriptor from a thread of its own.
///
/// Lines that do not fit into the buffer while the descriptor is slow are dropped and counted, and the count is written
/// as a line of its own once there is room again.
///
/// `@unchecked Sendable`: every mutable property is read and written only with `mutex` held; the mutex and the
/// condition live at fixed addresses from init to deinit.
public final class LogWriter: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let descriptor: CInt
  private let capacity: Int
  private var pending: [UInt8] = []
  private var isWriting = false
  private var isClosed = false
  private var unreported = 0
  private var dropped = 0

  /// The writer of the process's standard error, flushed when the process exits.
  public static let standardError: LogWriter = {
    atexit { LogWriter.standardError.flush() }
    return LogWriter(descriptor: STDERR_FILENO)
  }()
  /// The writer of the process's standard output, flushed when the process exits.
  public static let standardOutput: LogWriter = {
    atexit { LogWriter.standardOutput.flush() }
    return LogWriter(descriptor: STDOUT_FILENO)
  }()

  /// Starts the writing thread.
  ///
  /// - Parameters:
  ///   - capacity: the most bytes that wait to be written; 1 MiB holds about 5,000 lines.
  public init(descriptor: CInt, capacity: Int = 1 << 20) {
    self.descriptor = descriptor
    self.capacity = capacity
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    startThread()
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// How many lines were dropped since the start because the buffer was full.
  public var droppedLines: Int { locked { dropped } }

  /// Queues one line, newline included; drops it when the buffer is full. Costs a short lock and a copy.
  public func write(_ line: [UInt8]) {
    locked {
      guard !isClosed, pending.count + line.count <= capacity else {
        dropped += 1
        unreported += 1
        return
      }
      if pending.isEmpty { pthread_cond_broadcast(changed) }
      pending.append(contentsOf: line)
    }
  }

  /// Waits until everything queued so far is written, but at most a second: a reader that has stopped
  /// must not keep the process from ending.
  public func flush() {
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    limit.tv_sec += 1
    locked {
      while !pending.isEmpty || isWriting {
        if pthread_cond_timedwait(changed, mutex, &limit) == ETIMEDOUT { return }
      }
    }
  }

  /// Flushes and ends the thread; later lines are dropped.
  public func close() {
    flush()
    locked {
      isClosed = true
      pthread_cond_broadcast(changed)
    }
  }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  private func startThread() {
    var thread = pthread_t()
    let opaque = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(&thread, nil, logWriterMain, opaque)
    precondition(result == 0, "no thread for the log writer: \(result)")
    pthread_detach(thread)
  }

  fileprivate func drainUntilClosed() {
    while let batch = nextBatch() {
      batch.withUnsafeBytes { writeAll($0) }
      locked {
        isWriting = false
        pthread_cond_broadcast(changed)
      }
    }
  }

  /// Waits for something to write; nil when the writer is closed and empty.
  private func nextBatch() -> [UInt8]? {
    locked {
      while pending.isEmpty && !isClosed { pthread_cond_wait(changed, mutex) }
      guard !pending.isEmpty else { return nil }
      var batch: [UInt8] = []
      swap(&batch, &pending)
      if unreported > 0 {
        batch.append(text: "{\"level\":\"warning\",\"message\":\"log lines dropped\",\"dropped\":\"\(unreported)\"}\n")
        unreported = 0
      }
      isWriting = true
      return batch
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var offset = 0
    while offset < bytes.count {
      let written = Glibc.write(descriptor, base + offset, bytes.count - offset)
      if written >= 0 {
        offset += written
      } else if errno == EAGAIN {
        // A terminal or pipe that another program has made non-blocking.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return  // The reader is gone, and there is nowhere else to report that.
      }
    }
  }
}

private func logWriterMain(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let opaque else { return nil }
  Unmanaged<LogWriter>.fromOpaque(opaque).takeRetainedValue().drainUntilClosed()
  return nil
}
