import NIOCore
import Testing

@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("The times of a connection")
struct ConnectionAgeTests {
  private let limits: RPCServer.Limits = {
    var limits = RPCServer.Limits()
    limits.handshakeTime = .seconds(10)
    limits.firstByteTime = .seconds(30)
    limits.idleTime = .seconds(100)
    limits.frameTime = .seconds(20)
    limits.writeTime = .seconds(20)
    return limits
  }()

  /// What is met, second by second, by a connection that looks as `sight` says.
  private func firstMet(
    within seconds: Int64, _ sight: (Int64) -> ConnectionAge.Sample
  ) -> (limit: ServerLimit, second: Int64)? {
    let began = NIODeadline.uptimeNanoseconds(1_000_000_000)
    var age = ConnectionAge(limits, began: began)
    for second in 0...seconds {
      if let limit = age.limitMet(by: sight(second), at: began + .seconds(second)) { return (limit, second) }
    }
    return nil
  }

  @Test("TLS must be agreed in time, whatever is sent")
  func handshake() throws {
    let met = try #require(firstMet(within: 60) { .init(isSecured: false, received: Int($0) * 100_000) })
    #expect(met.limit == .handshakeTime && met.second == 11)
    #expect(firstMet(within: 60) { .init(isSecured: $0 > 10, received: Int($0)) } == nil)
  }

  @Test("in plaintext the first byte must come in time; over TLS the handshake has shown that somebody is there")
  func firstByte() throws {
    let met = try #require(firstMet(within: 60) { _ in .init(isPlain: true) })
    #expect(met.limit == .firstByteTime && met.second == 31)
    #expect(firstMet(within: 60) { .init(isPlain: true, received: $0 < 29 ? 0 : 1) } == nil)
    #expect(firstMet(within: 60) { _ in .init() } == nil)
  }

  @Test("without calls a byte now and then keeps a connection, silence does not, and a call does")
  func idle() throws {
    let met = try #require(firstMet(within: 200) { _ in .init() })
    #expect(met.limit == .idleTime && met.second == 101)
    #expect(firstMet(within: 1_000) { .init(received: Int($0) / 90) } == nil)
    #expect(firstMet(within: 1_000) { _ in .init(hasCalls: true) } == nil)
    let afterCall = try #require(firstMet(within: 300) { .init(hasCalls: $0 < 50) })
    #expect(afterCall.second == 151)
  }

  @Test("a byte now and then does not keep a frame unfinished; 64 KiB in the time do, and so do frames that end")
  func frame() throws {
    let met = try #require(firstMet(within: 60) { .init(hasCalls: true, unfinishedFrame: 7, received: Int($0)) })
    #expect(met.limit == .frameTime && met.second == 21)
    #expect(firstMet(within: 600) { .init(hasCalls: true, unfinishedFrame: 7, received: Int($0) * 3_500) } == nil)
    #expect(firstMet(within: 600) { .init(hasCalls: true, unfinishedFrame: Int($0) / 15, received: Int($0)) } == nil)
    #expect(firstMet(within: 600) { .init(hasCalls: true, unfinishedFrame: $0 % 15 == 0 ? nil : 7) } == nil)
  }

  @Test("answers must be taken, and not byte by byte")
  func answers() throws {
    let met = try #require(firstMet(within: 60) { .init(hasCalls: true, unsent: 1, taken: Int($0)) })
    #expect(met.limit == .writeTime && met.second == 21)
    #expect(firstMet(within: 600) { .init(hasCalls: true, unsent: 1, taken: Int($0) * 3_500) } == nil)
    #expect(firstMet(within: 600) { .init(hasCalls: true, unsent: $0 % 15 == 0 ? 0 : 9) } == nil)
  }
}
