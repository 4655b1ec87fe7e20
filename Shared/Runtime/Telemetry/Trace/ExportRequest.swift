import Tracing

/// Spans as `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest` (OTLP 1.x).
struct ExportRequest {
  /// Attributes of the source of the spans, e.g. `service.name`.
  let resource: [(String, String)]

  func bytes(_ spans: [FinishedSpan]) -> [UInt8] {
    var request = ProtobufWriter()
    request.message(1) { resourceSpans in
      resourceSpans.message(1) { writer in
        for (key, value) in resource { writer.attribute(1, key, .string(value)) }
      }
      resourceSpans.message(2) { scopeSpans in
        scopeSpans.message(1) { $0.text(1, "tandem") }
        for span in spans { scopeSpans.message(2) { $0.add(span) } }
      }
    }
    return request.bytes
  }
}

extension ProtobufWriter {
  fileprivate mutating func add(_ span: FinishedSpan) {
    let trace = span.place.trace
    identifier(1, trace.traceID.high, trace.traceID.low)
    identifier(2, trace.parentID)
    if let state = span.place.state { text(3, state) }
    if let parentID = span.parentID { identifier(4, parentID) }
    text(5, span.name)
    number(6, span.kind.number)
    fixed64(7, span.startedAt)
    fixed64(8, span.endedAt)
    add(9, span.attributes)
    for event in span.events {
      message(11) { writer in
        writer.fixed64(1, event.nanosecondsSinceEpoch)
        writer.text(2, event.name)
        writer.add(3, event.attributes)
      }
    }
    for link in span.links { add(link) }
    if let status = span.status {
      message(15) { writer in
        if let text = status.message { writer.text(2, text) }
        writer.number(3, status.code == .ok ? 1 : 2)
      }
    }
    // The low byte is W3C's flags.
    fixed32(16, trace.isSampled ? 1 : 0)
  }

  private mutating func add(_ link: SpanLink) {
    guard let place = link.context[TracePlaceKey.self] else { return }
    message(13) { writer in
      writer.identifier(1, place.trace.traceID.high, place.trace.traceID.low)
      writer.identifier(2, place.trace.parentID)
      if let state = place.state { writer.text(3, state) }
      writer.add(4, link.attributes)
    }
  }

  private mutating func add(_ field: UInt64, _ attributes: SpanAttributes) {
    attributes.forEach { attribute(field, $0, $1) }
  }

  fileprivate mutating func attribute(_ field: UInt64, _ key: String, _ value: SpanAttribute) {
    message(field) { writer in
      writer.text(1, key)
      writer.message(2) { $0.any(value) }
    }
  }

  /// `AnyValue`.
  private mutating func any(_ value: SpanAttribute) {
    switch value {
    case .string(let text): self.text(1, text)
    case .bool(let flag): number(2, flag ? 1 : 0)
    case .int32(let number): self.number(3, UInt64(bitPattern: Int64(number)))
    case .int64(let number): self.number(3, UInt64(bitPattern: number))
    case .double(let number): fixed64(4, number.bitPattern)
    case .stringConvertible(let value): text(1, "\(value)")
    case .stringArray(let values): array(values.map { .string($0) })
    case .boolArray(let values): array(values.map { .bool($0) })
    case .int32Array(let values): array(values.map { .int32($0) })
    case .int64Array(let values): array(values.map { .int64($0) })
    case .doubleArray(let values): array(values.map { .double($0) })
    case .stringConvertibleArray(let values): array(values.map { .string("\($0)") })
    default: text(1, "\(value)")
    }
  }

  private mutating func array(_ values: [SpanAttribute]) {
    message(5) { writer in
      for value in values { writer.message(1) { $0.any(value) } }
    }
  }
}

extension SpanKind {
  fileprivate var number: UInt64 {
    switch self {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}
