/// Which services had their samples loaded when the workspace was started: each once, so that those that were removed stay removed.
struct SamplesMarker: Equatable {
  /// What `load samples` ends with in a database that has other data: it is not to be tried again.
  private static let refusal: Int32 = 3

  private(set) var services: Set<SuiteService>

  /// - Parameter text: the file's, a service in each line; `nil` without the file. The empty one, of an earlier version, stands for all.
  init(_ text: String?) {
    switch text {
    case nil: services = []
    case ""?: services = Set(SuiteService.withSamples)
    case let text?: services = Set(text.split(separator: "\n").compactMap { SuiteService(rawValue: String($0)) })
    }
  }

  /// The services whose samples are to be loaded.
  var missing: [SuiteService] { SuiteService.withSamples.filter { !services.contains($0) } }

  /// The text of the file.
  var text: String { services.map { "\($0.rawValue)\n" }.sorted().joined() }

  /// Notes how a load ended: one that failed is tried again at the next start.
  mutating func note(_ end: ProcessEnd?, of service: SuiteService) {
    if end == .exited(0) || end == .exited(Self.refusal) { services.insert(service) }
  }
}
