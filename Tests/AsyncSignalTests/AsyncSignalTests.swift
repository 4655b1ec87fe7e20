import AsyncSignal
import Testing

@Suite("a signal to one task", .timeLimit(.minutes(5)))
struct AsyncSignalTests {
  @Test("what was sent before the wait counts once, and also after the end")
  func latched() async {
    let signal = AsyncSignal()
    signal.send()
    signal.send()
    #expect(await signal.wait())
    signal.send()
    signal.finish()
    #expect(await signal.wait())
    #expect(await !signal.wait() && signal.isFinished)
    signal.send()
    #expect(await !signal.wait())
  }

  @Test("a cancelled wait ends, and the signal goes on")
  func cancelled() async {
    let signal = AsyncSignal()
    for _ in 0..<1_000 {
      let wait = Task { await signal.wait() }
      wait.cancel()
      #expect(await !wait.value)
    }
    signal.send()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await signal.wait()
    }
    #expect(await !cancelled.value)
    #expect(await signal.wait(), "it was left for the next wait")
  }

  @Test("none is lost of signals that tasks answer each other with")
  func pingPong() async {
    let (there, back) = (AsyncSignal(), AsyncSignal())
    async let answers: Int = {
      var count = 0
      for await _ in there {
        count += 1
        back.send()
      }
      return count
    }()
    for _ in 0..<10_000 {
      there.send()
      #expect(await back.wait())
    }
    there.finish()
    #expect(await answers == 10_000)
  }
}
