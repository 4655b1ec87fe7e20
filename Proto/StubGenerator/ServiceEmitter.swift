import ContractRules
import ProtobufC
import ProtobufDescriptor

/// Writes method descriptors, the protocol that handlers conform to, and the client of a service.
struct ServiceEmitter {
  let context: FileContext

  /// A method with what generated code says about it.
  fileprivate struct Method {
    var name: String
    var swiftName: String
    var request: String
    var response: String
    var kind: String
    var rules: String
    var comment: [String]
  }

  func emit(_ service: ServiceDescriptorProto, _ path: [Int32], to text: inout SwiftText) throws(GeneratorError) {
    let name = service.name ?? ""
    let fullName = context.qualified(name)
    var methods: [Method] = []
    for (index, method) in service.method.enumerated() {
      methods.append(try describe(method, fullName, path + [Path.serviceMethods, Int32(index)]))
    }
    let comment = context.source.comment(path)
    emitMethods(methods, name, fullName, to: &text)
    text.line()
    emitProtocol(methods, name, fullName, to: &text)
    emitRefusals(try reasons(fullName, path), methods, name, fullName, to: &text)
    text.line()
    emitClient(methods, name, comment, to: &text)
  }

  private func describe(
    _ method: MethodDescriptorProto, _ service: String, _ path: [Int32]
  ) throws(GeneratorError) -> Method {
    let name = method.name ?? ""
    let kind =
      switch (method.clientStreaming == true, method.serverStreaming == true) {
      case (false, false): "unary"
      case (true, false): "clientStreaming"
      case (false, true): "serverStreaming"
      case (true, true): "bidirectional"
      }
    let swiftName = SwiftName.method(name)
    guard swiftName != "all" else {
      throw context.failure("\(service).\(name)", path, "its Swift name \(swiftName) is taken; rename the method")
    }
    let module = context.module.name
    let isIdempotent = [.idempotent, .noSideEffects].contains(method.options?.idempotencyLevel)
    return Method(
      name: name, swiftName: swiftName, request: context.schema.reference(method.inputType ?? "", from: module),
      response: context.schema.reference(method.outputType ?? "", from: module), kind: kind,
      rules: try rules(of: method, service, path).declared(isIdempotent: isIdempotent),
      comment: context.source.comment(path))
  }

  /// [C-1] A method of our own must say who may call it; methods of published interfaces are open.
  private func rules(
    of method: MethodDescriptorProto, _ service: String, _ path: [Int32]
  ) throws(GeneratorError) -> MethodRules {
    let rules: MethodRules
    do throws(ProtobufError) { rules = try MethodRules(method.options, of: service) } catch {
      throw context.failure("\(service).\(method.name ?? "")", path, "has options that cannot be read: \(error)")
    }
    if let complaint = rules.complaint(ofOwn: service.hasPrefix("tandem.")) {
      throw context.failure("\(service).\(method.name ?? "")", path, complaint)
    }
    return rules
  }

  private func emitMethods(_ methods: [Method], _ name: String, _ fullName: String, to text: inout SwiftText) {
    text.line(
      "/// The methods of `\(fullName)`: kind, access and whether a call may be repeated. ``\(name)Client`` says what they do."
    )
    text.block("public enum \(name)Methods") { text in
      for method in methods {
        text.list(
          "public static let \(method.swiftName) = MethodDescriptor(",
          [
            "service: \"\(fullName)\", name: \"\(method.name)\", kind: .\(method.kind), \(method.rules)"
          ], ")")
      }
      text.line()
      text.line("/// All of them, in the order of the contract.")
      text.line("public static let all: [MethodDescriptor] = [\(methods.map(\.swiftName).joined(separator: ", "))]")
    }
  }

  private func emitProtocol(
    _ methods: [Method], _ name: String, _ fullName: String, to text: inout SwiftText
  ) {
    text.line("/// What answers the calls of ``\(name)Client``.")
    text.block("public protocol \(name)Service: RPCService") { text in
      for (index, method) in methods.enumerated() {
        if index > 0 { text.line() }
        text.line("/// See ``\(name)Client/\(method.swiftName)``.")
        text.line("func \(method.swiftName)\(method.handlerType)")
      }
    }
    text.line()
    text.block("extension \(name)Service") { text in
      text.line("public static var serviceName: String { \"\(fullName)\" }")
      text.line()
      text.line("/// Makes the methods callable.")
      text.block("public func register(in router: inout Router)") { text in
        for method in methods {
          text.block("router.\(method.kind)(\(name)Methods.\(method.swiftName))") { text in
            text.line("\(method.closureType) in")
            text.line("try await self.\(method.swiftName)(\(method.handlerArguments))")
          }
        }
      }
    }
  }

  /// What the comments of the module's files say, as they refer to each other.
  private func reasons(_ service: String, _ path: [Int32]) throws(GeneratorError) -> Reasons {
    let files = context.schema.files.filter { context.module.files.contains($0.path) }
    let reasons = Reasons(files.map { FileContext(context.schema, $0, context.module) })
    if let unknown = reasons.unknownReferences.first {
      throw context.failure(
        service, path,
        "a comment of its package refers to the errors of \(unknown), which is no method of the same service and no service"
      )
    }
    return reasons
  }

  private func emitRefusals(
    _ reasons: Reasons, _ methods: [Method], _ name: String, _ fullName: String, to text: inout SwiftText
  ) {
    let refusals = methods.map { (method: $0.name, names: reasons.names(of: $0.name, in: fullName)) }
    guard refusals.contains(where: { !$0.names.isEmpty }) else { return }
    text.line()
    text.block("extension \(name)Service") { text in
      text.block("public static var refusals: [String: Set<String>]") { text in
        text.line("[")
        for refusal in refusals where !refusal.names.isEmpty {
          text.line("  \"\(refusal.method)\": [\(refusal.names.map { "\"\($0)\"" }.joined(separator: ", "))],")
        }
        text.line("]")
      }
    }
  }

  private func emitClient(_ methods: [Method], _ name: String, _ comment: [String], to text: inout SwiftText) {
    text.comment(comment)
    text.block("public struct \(name)Client: Sendable") { text in
      text.line("private let channel: any RPCChannel")
      text.line()
      text.line("/// A client that calls through the given channel.")
      text.line("public init(_ channel: any RPCChannel) { self.channel = channel }")
      for method in methods {
        text.line()
        text.comment(method.comment)
        text.list("public func \(method.clientName)(", method.clientParameters, "")
        text.block(") async throws -> \(method.clientResult)") { text in
          text.line("try await channel.\(method.channelCall("\(name)Methods.\(method.swiftName)"))")
        }
      }
    }
  }
}

/// What the four kinds of method look like in Swift.
extension ServiceEmitter.Method {
  fileprivate var handlerType: String {
    switch kind {
    case "clientStreaming":
      "(_ requests: MessageStream<\(request)>, _ context: CallContext) async throws -> \(response)"
    case "serverStreaming":
      "(_ request: \(request), _ responses: MessageWriter<\(response)>, _ context: CallContext) async throws"
    case "bidirectional":
      "(_ requests: MessageStream<\(request)>, _ responses: MessageWriter<\(response)>, _ context: CallContext) async throws"
    default: "(_ request: \(request), _ context: CallContext) async throws -> \(response)"
    }
  }

  /// The parameters of ``handlerType`` as a closure names them.
  fileprivate var closureType: String {
    let type = handlerType.replacing("_ requests:", with: "requests:").replacing("_ request:", with: "request:")
      .replacing("_ responses:", with: "responses:").replacing("_ context:", with: "context:")
    return streamsResponses ? type + " -> Void" : type
  }

  fileprivate var handlerArguments: String {
    (streamsRequests ? "requests, " : "request, ") + (streamsResponses ? "responses, " : "") + "context"
  }

  fileprivate var clientName: String {
    streamsResponses ? "\(swiftName)<Result>" : swiftName
  }

  fileprivate var clientParameters: [String] {
    let options = "_ options: CallOptions = .default"
    switch kind {
    case "clientStreaming": return [options, "_ body: (RequestWriter<\(request)>) async throws -> Void"]
    case "serverStreaming":
      return ["_ request: \(request)", options, "_ body: (MessageStream<\(response)>) async throws -> Result"]
    case "bidirectional":
      return [
        options, "_ body: (RequestWriter<\(request)>, MessageStream<\(response)>) async throws -> Result",
      ]
    default: return ["_ request: \(request)", options]
    }
  }

  fileprivate var clientResult: String { streamsResponses ? "Result" : response }

  fileprivate func channelCall(_ descriptor: String) -> String {
    switch kind {
    case "clientStreaming": "clientStream(\(descriptor), options, body)"
    case "serverStreaming": "serverStream(\(descriptor), request, options, body)"
    case "bidirectional": "stream(\(descriptor), nil, options, body)"
    default: "call(\(descriptor), request, options)"
    }
  }

  private var streamsRequests: Bool { kind == "clientStreaming" || kind == "bidirectional" }
  private var streamsResponses: Bool { kind == "serverStreaming" || kind == "bidirectional" }
}
