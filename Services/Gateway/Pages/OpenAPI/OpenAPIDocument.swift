import ContractRules
import GatewayProtocols
import ProtobufC
import ProtobufDescriptor
import TTRPC

/// The methods of the port as OpenAPI 3.1, made from the descriptors: a path for each method, a schema for each message by
/// protobuf's JSON mapping.
package struct OpenAPIDocument {
  package let json: JSONValue

  /// - Parameters:
  ///   - sets: serialized `google.protobuf.FileDescriptorSet`s.
  ///   - access: who may call the method of a path; `nil` for one that the port does not offer.
  package init(
    descriptorSets sets: [[UInt8]], access: (_ path: String) -> MethodRules.Access?
  ) throws(ProtobufError) {
    let declarations = try Declarations(descriptorSets: sets)
    var schemas = SchemaWriter(declarations)
    var (paths, tags): ([JSONValue.Member], [JSONValue]) = ([], [])
    for service in declarations.services {
      let offered = service.methods.compactMap { method in access(method.path).map { (method, $0) } }
      guard !offered.isEmpty else { continue }
      tags.append(["name": .string(service.fullName), "description": .string(service.comment)])
      for (method, access) in offered {
        let operation = Self.operation(method, access, &schemas)
        paths.append(.init(name: method.path, value: ["post": operation]))
      }
    }
    json = [
      "openapi": "3.1.0",
      "info": [
        "title": "Tandem", "version": "1",
        "description":
          "The methods of the suite by Connect's protocol with JSON. The same paths take protobuf, gRPC and gRPC-Web.",
      ],
      "servers": [["url": "/"]], "tags": .array(tags), "paths": .object(paths),
      "components": [
        "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]],
        "parameters": ["timeout": Self.timeout],
        "schemas": .object(
          schemas.finished() + [.init(name: Self.errorName, value: Self.error)]),
      ],
    ]
  }

  private static let errorName = "connect.Error"

  private static let timeout: JSONValue = [
    "name": "Connect-Timeout-Ms", "in": "header",
    "description": "How long the call may take, in milliseconds; the gateway has a limit of its own.",
    "schema": ["type": "string", "pattern": "^[0-9]{1,10}$"],
  ]

  private static let codeNames = JSONValue.array(
    Code.allCases.filter { $0 != .ok }.map { JSONValue.string($0.connectName) })

  /// Connect's error, whose details are those of `google.rpc`.
  private static let error: JSONValue = [
    "type": "object", "required": ["code"],
    "description":
      "Why a call was refused. A client decides by `code`, and by the `reason` of the detail google.rpc.ErrorInfo; never by `message`.",
    "properties": [
      "code": [
        "type": "string", "enum": codeNames,
      ],
      "message": ["type": "string", "description": "For people."],
      "details": [
        "type": "array",
        "items": [
          "type": "object", "required": ["type", "value"],
          "properties": [
            "type": ["type": "string", "description": "The name of the message, such as `google.rpc.ErrorInfo`."],
            "value": ["type": "string", "contentEncoding": "base64", "description": "The message in protobuf."],
            "debug": ["type": "object", "description": "The same message in JSON."],
          ],
        ],
      ],
    ],
  ]

  private static func operation(
    _ method: Declarations.Method, _ access: MethodRules.Access, _ schemas: inout SchemaWriter
  ) -> JSONValue {
    let descriptor = method.descriptor
    let isStream = descriptor.clientStreaming == true || descriptor.serverStreaming == true
    let type = isStream ? "application/connect+json" : "application/json"
    func content(_ name: String?) -> JSONValue {
      .object([.init(name: type, value: ["schema": schemas.reference(name)])])
    }
    var description = method.comment
    if isStream {
      description +=
        "\n\nA stream: each message has a byte of flags and four bytes of its length before it; "
        + "the last one, with the flag 2, has the error, if there is one."
    }
    let request = content(descriptor.inputType)
    let answer = content(descriptor.outputType)
    var members: [JSONValue.Member] = [
      .init(name: "operationId", value: .string("\(method.service).\(descriptor.name ?? "")")),
      .init(name: "tags", value: [.string(method.service)]),
      .init(name: "summary", value: .string(summary(of: method.comment, or: descriptor.name ?? ""))),
      .init(name: "description", value: .string(description)),
      .init(name: "security", value: access == .user ? [["bearer": []]] : []),
      .init(name: "parameters", value: [["$ref": "#/components/parameters/timeout"]]),
      .init(name: "requestBody", value: ["required": .bool(true), "content": request]),
    ]
    var refusals = ListedRefusal.all(in: method.comment)
    if access == .user {
      refusals += ["TOKEN_MISSING", "TOKEN_EXPIRED", "TOKEN_REVOKED"].map { ListedRefusal(.unauthenticated, $0) }
    }
    let success: JSONValue.Member = .init(name: "200", value: ["description": "The answer.", "content": answer])
    members.append(
      .init(name: "responses", value: .object([success] + (isStream ? [] : responses(refusals)))))
    if !refusals.isEmpty {
      members.append(
        .init(
          name: "x-refusals",
          value: .array(
            refusals.map { ["code": .string($0.code.connectName), "reason": .string($0.reason)] })))
    }
    return .object(members)
  }

  /// The answers with an error, by their HTTP status.
  private static func responses(_ refusals: [ListedRefusal]) -> [JSONValue.Member] {
    let content: JSONValue = [
      "application/json": ["schema": ["$ref": .string("#/components/schemas/\(errorName)")]]
    ]
    let byStatus = Dictionary(grouping: refusals) { $0.code.httpStatus }
    let listed = byStatus.keys.sorted().map { status in
      let reasons = (byStatus[status] ?? []).map { "\($0.code.connectName) `\($0.reason)`" }
      return JSONValue.Member(
        name: "\(status)", value: ["description": .string(reasons.joined(separator: ", ")), "content": content])
    }
    return listed + [.init(name: "default", value: ["description": "Another error.", "content": content])]
  }

  /// The first sentence.
  private static func summary(of comment: String, or name: String) -> String {
    let paragraph = comment.split(separator: "\n\n", maxSplits: 1).first ?? ""
    let line = paragraph.split(separator: "\n").joined(separator: " ")
    guard !line.isEmpty else { return name }
    guard let end = line.firstRange(of: ". ") else { return line }
    return String(line[..<end.lowerBound]) + "."
  }
}
