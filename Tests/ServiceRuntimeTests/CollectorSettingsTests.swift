import Telemetry
import Testing

@testable import ServiceRuntime

@Suite("The collector's settings")
struct CollectorSettingsTests {
  func settings(_ environment: [String: String], _ arguments: String...) throws -> Settings {
    try Settings.resolve(
      RuntimeSettings.all, service: "identity",
      from: SettingSources(arguments: arguments, environment: environment), requiring: .nothing)
  }

  @Test("are read from OpenTelemetry's own variables, below those of the service")
  func names() throws {
    let standard = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://one:4318", "OTEL_TRACES_SAMPLER_ARG": "0.25"]
    let found = try settings(standard)
    #expect(found[RuntimeSettings.collector]?.description == "http://one:4318/v1/traces")
    #expect(found[RuntimeSettings.traceRatio] == 0.25 && found.warnings.isEmpty)
    let own = try settings(
      standard.merging(["TANDEM_IDENTITY_OTEL_EXPORTER_OTLP_ENDPOINT": "https://two/base/"]) { $1 })
    #expect(own[RuntimeSettings.collector]?.description == "https://two:4318/base/v1/traces")
    let option = try settings(standard, "--otel-exporter-otlp-endpoint=http://[::1]:99")
    #expect(option[RuntimeSettings.collector]?.description == "http://[::1]:99/v1/traces")
  }

  @Test("an empty variable is one that is not set; a bad value is named")
  func values() throws {
    #expect(try settings(["OTEL_EXPORTER_OTLP_ENDPOINT": ""])[RuntimeSettings.collector] == nil)
    for text in ["collector:4318", "grpc://c:1", "http://", "http://user@c", "http://c:0", "http://c?x", "http://a b"] {
      let refusal = #expect(throws: StartupError.self) { try settings(["OTEL_EXPORTER_OTLP_ENDPOINT": text]) }
      #expect(refusal?.lines.first?.contains("of OTEL_EXPORTER_OTLP_ENDPOINT is not a URL such as") == true)
    }
    #expect(throws: StartupError.self) { try settings(["OTEL_TRACES_SAMPLER_ARG": "1.5"]) }
  }

  @Test("headers are a list, percent-encoded, and never shown")
  func headers() throws {
    let found = try settings(["OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b%3D, other=1=2"])
    #expect(
      found[RuntimeSettings.collectorHeaders] == [
        HTTPHeader(name: "api-key", value: "a b="), HTTPHeader(name: "other", value: "1=2"),
      ])
    #expect(!found.table().contains("a%20b"))
    for text in ["noequals", "a=%zz", "a=%0Ab"] {
      let refusal = #expect(throws: StartupError.self) { try settings(["OTEL_EXPORTER_OTLP_HEADERS": text]) }
      #expect(refusal?.description.contains(text) == false)
    }
  }
}
