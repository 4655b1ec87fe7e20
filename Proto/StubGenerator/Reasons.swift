/// The reasons with which methods refuse calls.
///
/// Their source is the comments of services and methods, where each is named behind its status code:
/// ```
/// // - NOT_FOUND `BOOK_NOT_FOUND`: the book does not exist.
/// // - INVALID_ARGUMENT `TITLE_REQUIRED`, `TITLE_INVALID`.
/// // - RESOURCE_EXHAUSTED `TOO_MANY_REQUESTS` with google.rpc.RetryInfo: ten in a minute.
/// ```
struct Reasons {
  struct Reason: Equatable {
    /// In the order of the contract; most reasons have one.
    var codes: [String]
    /// What the first comment says of it that says anything but "as in" another method.
    var meaning = ""
    /// Whether a comment says that the refusal tells when to try again.
    var hasRetryInfo = false
    /// The methods whose comments name it; none where the comment of a service or a file does.
    var methods: [String] = []
    /// The services whose comments name it: each of their methods may refuse with it.
    var services: [String] = []
  }

  private(set) var byName: [String: Reason] = [:]
  /// Whether a name needs an underscore: in prose about methods a value of an enum may stand behind a code, too.
  private let isProse: Bool

  /// Those of services and methods.
  init(_ contexts: [FileContext]) {
    isProse = true
    for context in contexts {
      for (index, service) in context.file.service.enumerated() {
        let path = [Path.fileServices, Int32(index)]
        let name = context.qualified(service.name ?? "")
        take(context.source.comment(path), .service(name))
        for (number, method) in service.method.enumerated() {
          take(
            context.source.comment(path + [Path.serviceMethods, Int32(number)]),
            .method("\(name).\(method.name ?? "")"))
        }
      }
    }
  }

  /// The file whose comments have the reasons of any method.
  static let ofAnyMethod = "tandem/rpc/v1/options.proto"

  /// Those of services and methods, and those of any method where a file of the module has them.
  init(ofModule contexts: [FileContext]) {
    self.init(contexts)
    for context in contexts where context.file.path == Self.ofAnyMethod {
      byName.merge(Reasons(ofAnyMethod: context).byName) { own, _ in own }
    }
  }

  /// Those of any method: of the comments of the file, of its enums' values and of its extensions.
  init(ofAnyMethod context: FileContext) {
    isProse = false
    take(context.source.comment([Path.filePackage]), .anything)
    for (index, enumeration) in context.file.enumType.enumerated() {
      for value in enumeration.value.indices {
        take(context.source.comment([Path.fileEnums, Int32(index), Path.enumValues, Int32(value)]), .anything)
      }
    }
    for index in context.file.extension.indices {
      take(context.source.comment([Path.fileExtensions, Int32(index)]), .anything)
    }
  }

  /// Those with which a method refuses, by its own comment or that of its service, sorted.
  func names(of method: String, in service: String) -> [String] {
    byName.filter { $0.value.methods.contains("\(service).\(method)") || $0.value.services.contains(service) }.keys
      .sorted()
  }

  /// What a comment is about, by its full name.
  private enum Subject {
    case method(String)
    case service(String)
    case anything
  }

  private mutating func take(_ comment: [String], _ subject: Subject) {
    for paragraph in Self.paragraphs(comment) {
      var code: String?
      for (end, word) in Self.words(paragraph) {
        if ReasonEmitter.codes[word] != nil {
          code = word
        } else if let code, word.hasPrefix("`"), let name = reason(word) {
          add(name, code, paragraph[end...], subject)
        }
      }
    }
  }

  private mutating func add(_ name: String, _ code: String, _ rest: Substring, _ subject: Subject) {
    var reason = byName[name] ?? Reason(codes: [])
    if !reason.codes.contains(code) { reason.codes.append(code) }
    let remark = Self.remark(rest)
    if reason.meaning.isEmpty { reason.meaning = remark.meaning }
    reason.hasRetryInfo = reason.hasRetryInfo || remark.hasRetryInfo
    switch subject {
    case .method(let method) where !reason.methods.contains(method): reason.methods.append(method)
    case .service(let service) where !reason.services.contains(service): reason.services.append(service)
    case .method, .service, .anything: break
    }
    byName[name] = reason
  }

  /// A bullet, or lines up to an empty one, in one line.
  private static func paragraphs(_ comment: [String]) -> [String] {
    var paragraphs: [[String]] = [[]]
    for line in comment {
      if line.isEmpty || line.hasPrefix("- ") { paragraphs.append([]) }
      paragraphs[paragraphs.count - 1].append(String(line.drop { $0 == " " }))
    }
    return paragraphs.map { $0.joined(separator: " ") }
  }

  private static func words(_ text: String) -> [(place: String.Index, word: String)] {
    text.split(whereSeparator: { " ,.;:()".contains($0) }).map { ($0.endIndex, String($0)) }
  }

  /// `BOOK_NOT_FOUND` of the same in backticks.
  private func reason(_ word: String) -> String? {
    guard word.count > 3, word.hasSuffix("`") else { return nil }
    let name = String(word.dropFirst().dropLast())
    guard !isProse || name.contains("_"), name.first?.isLetter == true,
      name.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" })
    else { return nil }
    return name
  }

  private static let retryInfo = " with google.rpc.RetryInfo"

  /// What follows a reason: behind the others of its list and a mention of RetryInfo, a colon and the meaning, or the
  /// text for users in quotes.
  private static func remark(_ text: Substring) -> (meaning: String, hasRetryInfo: Bool) {
    var rest = text
    while rest.hasPrefix(", `") {
      let name = rest.dropFirst(3).prefix { $0.isUppercase || $0.isNumber || $0 == "_" }
      let behind = rest[name.endIndex...]
      guard !name.isEmpty, behind.hasPrefix("`") else { break }
      rest = behind.dropFirst()
    }
    let hasRetryInfo = rest.hasPrefix(retryInfo)
    if hasRetryInfo { rest = rest.dropFirst(retryInfo.count) }
    guard rest.hasPrefix(": ") || rest.hasPrefix(" \"") else { return ("", hasRetryInfo) }
    let meaning = String(rest.dropFirst(rest.hasPrefix(": ") ? 2 : 1))
    return (meaning.hasPrefix("as in ") || meaning.hasPrefix("as for ") ? "" : meaning, hasRetryInfo)
  }
}
