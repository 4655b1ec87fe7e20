import Testing

@testable import tandem

@Suite("which samples were loaded")
struct SamplesMarkerTests {
  @Test("samples are loaded once, and again after a failure, but not after a refusal")
  func ends() {
    var marker = SamplesMarker(nil)
    #expect(marker.missing == [.catalog, .lending])
    for end in [.exited(1), .killed(by: 9), nil] as [ProcessEnd?] { marker.note(end, of: .catalog) }
    marker.note(.exited(0), of: .lending)
    #expect(marker.missing == [.catalog])
    marker.note(.exited(3), of: .catalog)
    #expect(marker.missing.isEmpty)
    #expect(SamplesMarker(marker.text) == marker)
  }

  @Test("the empty file of an earlier version stands for all samples")
  func emptyFile() {
    #expect(SamplesMarker("").missing.isEmpty)
    #expect(SamplesMarker("catalog\n").missing == [.lending])
  }
}
