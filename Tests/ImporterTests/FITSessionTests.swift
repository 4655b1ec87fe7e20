import Testing

@testable import ActivityFiles

@Suite("sessions of FIT files")
struct FITSessionTests {
  @Test("[IM-10] a session has the samples from its start to its end, that at its very end included")
  func ends() {
    var file = FITBytes()
    let start: UInt32 = 1_119_000_000
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    file.define(0, message: 20, [(253, 4, 0x86)])
    // As a quotient of two durations 2,367 s are a little more.
    for second: UInt32 in [0, 1_000, 2_367, 3_000, 4_000] { file.data(0, bytes(start + second)) }
    file.define(1, message: 18, [(2, 4, 0x86), (7, 4, 0x86)])
    file.data(1, bytes(start) + bytes(2_367_000))
    file.data(1, bytes(start + 3_000) + bytes(1_000_000))
    let content = ActivityFile.read(MemorySource(file.whole), zone: "UTC")
    #expect(content.batch.activities.map { $0.track?.points.count } == [3, 2])
  }
}
