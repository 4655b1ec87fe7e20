/// The OpenAPI document as a page to read: no script, one anchor for each method and each type.
enum DocumentationPage {
  static func html(of document: JSONValue) -> [UInt8] {
    var body = "<h1>Tandem's methods</h1>\n" + introduction
    let operations = (document["paths"]?.members ?? []).compactMap { path in
      path.value["post"].map { (path: path.name, operation: $0) }
    }
    let byTag = Dictionary(grouping: operations) { $0.operation["tags"]?.elements.first?.text ?? "" }
    let tags = document["tags"]?.elements ?? []
    body += "<nav aria-label=\"Services\"><ul>\n"
    for name in tags.compactMap({ $0["name"]?.text }) { body += "<li>\(link(name))</li>\n" }
    body += "</ul></nav>\n"
    for tag in tags {
      let name = tag["name"]?.text ?? ""
      body += "<section><h2 id=\"\(id(name))\">\(HTMLText.escaped(name))</h2>\n"
      body += HTMLText.prose(tag["description"]?.text ?? "")
      for (path, operation) in byTag[name] ?? [] { body += method(path, operation) }
      body += "</section>\n"
    }
    body += "<section><h2 id=\"types\">Types</h2>\n"
    for schema in document["components"]?["schemas"]?.members ?? [] { body += type(schema.name, schema.value) }
    return HTMLText.page(title: "Tandem's methods", body: body + "</section>\n")
  }

  private static let introduction = """
    <p>A call is <code>POST</code> of its request in JSON to <code>/service/method</code>, with the header
    <code>content-type: application/json</code>; for a user's method also <code>authorization: Bearer …</code>, with the access token
    of a login. The same as a document for tools: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>

    """

  private static func method(_ path: String, _ operation: JSONValue) -> String {
    let name = operation["operationId"]?.text ?? ""
    let isOfUsers = operation["security"]?.elements.isEmpty == false
    let request = reference(in: operation["requestBody"]?["content"])
    let answer = reference(in: operation["responses"]?["200"]?["content"])
    var out = "<details id=\"\(id(name))\"><summary><code>\(HTMLText.escaped(path))</code> "
    out += "\(HTMLText.escaped(operation["summary"]?.text ?? ""))</summary>\n"
    out += "<p>\(isOfUsers ? "For users." : "Without login.") Request: \(request). Answer: \(answer).</p>\n"
    out += HTMLText.prose(operation["description"]?.text ?? "")
    return out + "</details>\n"
  }

  private static func reference(in content: JSONValue?) -> String {
    guard let schema = content?.members.first?.value["schema"] else { return "none" }
    return kind(of: schema)
  }

  private static func type(_ name: String, _ schema: JSONValue) -> String {
    var out = "<details id=\"\(id(name))\"><summary><code>\(HTMLText.escaped(name))</code></summary>\n"
    out += HTMLText.prose(schema["description"]?.text ?? "")
    if let names = schema["enum"]?.elements, schema["description"] == nil {
      out += "<p>\(names.map { "<code>\(HTMLText.escaped($0.text ?? ""))</code>" }.joined(separator: ", "))</p>\n"
    }
    let properties = schema["properties"]?.members ?? []
    guard !properties.isEmpty else { return out + "</details>\n" }
    out +=
      "<table><thead><tr><th scope=\"col\">Member</th><th scope=\"col\">Type</th><th scope=\"col\">Meaning</th></tr></thead>"
    out += "<tbody>\n"
    for property in properties {
      out +=
        "<tr><th scope=\"row\"><code>\(HTMLText.escaped(property.name))</code></th><td>\(kind(of: property.value))</td>"
      out += "<td>\(HTMLText.prose(property.value["description"]?.text ?? ""))</td></tr>\n"
    }
    return out + "</tbody></table></details>\n"
  }

  private static func kind(of schema: JSONValue) -> String {
    if let name = schema["$ref"]?.text?.split(separator: "/").last { return link(String(name)) }
    if schema["anyOf"] != nil { return "number" }
    let type = schema["type"]?.text ?? ""
    if let items = schema["items"] { return "list of \(kind(of: items))" }
    if let values = schema["additionalProperties"] { return "map to \(kind(of: values))" }
    let format = schema["format"]?.text ?? schema["contentEncoding"]?.text
    return HTMLText.escaped(type + (format.map { " (\($0))" } ?? ""))
  }

  private static func link(_ name: String) -> String {
    "<a href=\"#\(id(name))\"><code>\(HTMLText.escaped(name))</code></a>"
  }

  /// Names consist of letters, digits, dots and underscores only.
  private static func id(_ name: String) -> String { HTMLText.escaped(name) }
}
