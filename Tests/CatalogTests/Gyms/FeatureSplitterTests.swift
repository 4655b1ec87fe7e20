import SeededNumbers
import Testing

@testable import CatalogLoading

@Suite("features of a file")
struct FeatureCutterTests {
  /// A piece: a feature's text, or the error, with its line.
  private func pieces(_ text: [UInt8], chunk: Int, longest: Int = 200) throws -> [String] {
    var cutter = FeatureSplitter(longest: longest)
    var found: [String] = []
    func take(_ piece: RecordBuffer.Piece) {
      switch piece.content {
      case .record(let text): found.append("\(piece.line) \(text)")
      case .bad(let reason): found.append("\(piece.line) bad: \(reason)")
      }
    }
    for start in stride(from: 0, to: text.count, by: chunk) {
      cutter.append(Array(text[start..<min(start + chunk, text.count)]))
      while let piece = try cutter.next(isEnd: false) { take(piece) }
    }
    while let piece = try cutter.next(isEnd: true) { take(piece) }
    return found
  }

  private func pieces(_ text: String, chunk: Int = 7, longest: Int = 200) throws -> [String] {
    try pieces(Array(text.utf8), chunk: chunk, longest: longest)
  }

  @Test("[CA-5] features are found with their lines however the bytes arrive", arguments: 1...9)
  func features(chunk: Int) throws {
    let text = """
      {"name": "features", "x": {"features": [{"no": 1}]}, "y": ["features", "[{"],
       "features": [
        {"type": "Feature", "a": "}]\\"{"},
        {"type": "Feature",
         "b": {"c": [1, [2]]}} , {}
       ], "features": [{"no": 2}], "z": 1}
      """
    #expect(
      try pieces(text, chunk: chunk) == [
        #"3 {"type": "Feature", "a": "}]\"{"}"#, "4 {\"type\": \"Feature\",\n   \"b\": {\"c\": [1, [2]]}}",
        "5 {}",
      ])
  }

  @Test("[CA-5] what follows a text that is never closed is looked at again", arguments: 1...9)
  func unclosed(chunk: Int) throws {
    let text = """
      {"features": [{"type": "Feature", "n": 1},
      {"type": "Feature", "n": "2},
      {"type": "Feature", "n": 3}, 4, { "type" : "Feature", "n": 5}]}
      """
    #expect(
      try pieces(text, chunk: chunk) == [
        #"1 {"type": "Feature", "n": 1}"#, "2 bad: a line ends within a text", #"3 {"type": "Feature", "n": 3}"#,
        "3 bad: it does not begin with {", #"3 { "type" : "Feature", "n": 5}"#,
      ])
  }

  @Test("[CA-5] a missing bracket costs its own feature only", arguments: 1...9)
  func missingBracket(chunk: Int) throws {
    let text = #"{"features": [{"type": "Feature", "n": {}, {"type": "Feature", "n": 2}, {"type": "Feature", "n": 3}]}"#
    #expect(
      try pieces(text, chunk: chunk) == [
        "1 bad: its brackets do not fit", #"1 {"type": "Feature", "n": 2}"#,
        #"1 {"type": "Feature", "n": 3}"#,
      ])
  }

  @Test("[CA-5] of a file that was cut in half the first half is there, and the cut is named")
  func cut() throws {
    #expect(
      try pieces(#"{"features": [{"type": "Feature"}, {"type": "Fea"#) == [
        #"1 {"type": "Feature"}"#, "1 bad: the file ends in the middle of it",
      ])
    #expect(
      try pieces(#"{"features": [{"type": "Feature"},"#) == [
        #"1 {"type": "Feature"}"#, "1 bad: the file ends before its list of features does",
      ])
  }

  @Test(
    "[CA-5] a file that is no collection of features is refused",
    arguments: [
      ("", "it has no list of features, so it is no GeoJSON FeatureCollection"),
      ("[1]", "it does not begin with {, so it is no GeoJSON"),
      ("name,latitude\n", "it does not begin with {, so it is no GeoJSON"),
      (#"{"type": "Feature"}"#, "it has no list of features, so it is no GeoJSON FeatureCollection"),
      (#"{"features": 7}"#, "it has no list of features, so it is no GeoJSON FeatureCollection"),
      ("{\"a\n", "what stands before its list of features cannot be read"),
      ("{\"a\": " + String(repeating: "[", count: 40), "what stands before its list of features cannot be read"),
    ])
  func unusable(text: String, reason: String) {
    #expect(throws: UnusableFile(reason: reason)) { try pieces(text) }
  }

  @Test("[CA-5] a feature of 100 MB, and one of 100,000 brackets, are passed over without being kept")
  func hostile() throws {
    var cutter = FeatureSplitter(longest: 1 << 20)
    var (found, most) = ([RecordBuffer.Piece](), 0)
    cutter.append(Array(#"{"features": [{"type": "Feature", "x": ""#.utf8))
    let chunk = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<100 {
      cutter.append(chunk)
      while let piece = try cutter.next(isEnd: false) { found.append(piece) }
      most = max(most, cutter.held)
    }
    cutter.append(Array((#""}, {"type": "Feature", "x": "# + String(repeating: "[", count: 100_000)).utf8))
    cutter.append(Array(#", {"type": "Feature"}]}"#.utf8))
    while let piece = try cutter.next(isEnd: true) { found.append(piece) }
    #expect(
      found.map(\.content) == [
        .bad("it is longer than 1048576 bytes"), .bad("it has more than 32 brackets within each other"),
        .record(#"{"type": "Feature"}"#),
      ])
    #expect(most < 4 << 20)
  }

  @Test("[CA-5] whatever becomes of some bytes of a file, the features on all other lines are read", arguments: 1...8)
  func mutations(seed: UInt64) throws {
    let lines = (1...30).map { number in
      GymFixture(
        id: "node/\(number)", name: "Gym \"\(number)\" {[", latitude: 1, longitude: Double(number),
        tags: ["opening_hours": "Mo-Fr 08:00-20:00", "addr:city": "Zürich"]
      ).feature
    }
    let text = Array(("{\"features\": [\n" + lines.joined(separator: ",\n") + "\n]}").utf8)
    let begin = try #require(text.firstIndex(of: UInt8(ascii: "\n"))) + 1
    var randomness = SplitMix(seed: seed)
    for _ in 0..<60 {
      var (broken, touched) = (text, Set<Int>())
      for _ in 0..<Int.random(in: 1...4, using: &randomness) {
        let place = Int.random(in: begin..<text.count, using: &randomness)
        broken[place] = "\"\\{}[],:\nx0\u{1}".utf8.randomElement(using: &randomness) ?? 0xFF
        // A line break belongs to the lines on both of its sides.
        let line = text[..<place].count { $0 == UInt8(ascii: "\n") }
        touched.formUnion([line, line + (text[place] == UInt8(ascii: "\n") ? 1 : 0)])
      }
      let read = try names(in: broken)
      for number in 1...30 where !touched.contains(number) {
        #expect(
          read.contains("Gym \"\(number)\" {["), "\(seed): \(number) of \(String(decoding: broken, as: UTF8.self))")
      }
    }
  }

  /// The names of the gyms that are read from a text.
  private func names(in text: [UInt8]) throws -> Set<String> {
    let reader = OSMGymReader(zones: [], defaultZone: nil)
    var feed = RecordFeed(FeatureSplitter(longest: 1 << 20))
    var (names, rest) = (Set<String>(), Optional(text))
    while let pieces = try feed.next({ rest.take() }) {
      for case .record(let text) in pieces.map(\.content) {
        do throws(GymFlaw) { if let gym = try reader.read(text) { names.insert(gym.name) } } catch { continue }
      }
    }
    return names
  }
}
