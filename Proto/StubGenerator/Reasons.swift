/// The reasons with which methods refuse calls.
///
/// Their source is the comments of services and methods, where each is named behind its status code:
/// ```
/// // - NOT_FOUND `BOOK_NOT_FOUND`: the book does not exist.
/// // - INVALID_ARGUMENT `TITLE_REQUIRED`, `TITLE_INVALID`.
/// // - RESOURCE_EXHAUSTED `TOO_MANY_REQUESTS` with google.rpc.RetryInfo: ten in a minute.
/// // - The errors of GetBook.
/// // - INVALID_ARGUMENT: the reasons of AddBook.
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
  private var references: [Reference] = []
  /// Full names of the services and methods whose comments were read.
  private var known: Set<String> = []
  /// Whether a name needs an underscore: in prose about methods a value of an enum may stand behind a code, too.
  private let isProse: Bool

  /// Those of services and methods.
  init(_ contexts: [FileContext]) {
    isProse = true
    for context in contexts {
      for (index, service) in context.file.service.enumerated() {
        let path = [Path.fileServices, Int32(index)]
        let name = context.qualified(service.name ?? "")
        known.insert(name)
        take(context.source.comment(path), .service(name))
        for (number, method) in service.method.enumerated() {
          known.insert("\(name).\(method.name ?? "")")
          take(
            context.source.comment(path + [Path.serviceMethods, Int32(number)]),
            .method("\(name).\(method.name ?? "")"))
        }
      }
    }
    follow()
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
  enum Subject {
    case method(String)
    case service(String)
    case anything
  }

  /// What a comment says of the reasons of another method of the service, or of a service of the package.
  fileprivate struct Reference {
    let subject: Subject
    /// Of the method or service.
    let name: String
    /// Of the reasons, where the comment names one.
    let code: String?
  }

  private mutating func take(_ comment: [String], _ subject: Subject) {
    for paragraph in Self.paragraphs(comment) {
      var code: String?
      // A bullet begins with its reasons.
      let listed =
        paragraph.hasPrefix("- ") ? paragraph.firstIndex(of: ":") ?? paragraph.endIndex : paragraph.startIndex
      for (end, word) in Self.words(paragraph) {
        if ReasonEmitter.codes[word] != nil {
          code = word
        } else if let code, word.hasPrefix("`"), let name = reason(word, isListed: end <= listed) {
          add(name, code, paragraph[end...], subject)
        }
      }
      for match in paragraph.matches(
        of: /(?:[Ee]rrors|reasons|refusals) (?:as )?of ([A-Z]\w+(?:(?:, | and )[A-Z]\w+)*)/)
      {
        let before = Self.words(String(paragraph[..<match.range.lowerBound])).map(\.word)
        let code = before.last { ReasonEmitter.codes[$0] != nil }
        for name in match.output.1.replacing(" and ", with: ", ").split(separator: ", ") {
          references.append(Reference(subject: subject, name: String(name), code: code))
        }
      }
    }
  }

  /// What comments refer to that is no method of the service and no service of the package.
  var unknownReferences: [String] {
    references.filter { known.isDisjoint(with: $0.meanings) }.map(\.name)
  }

  /// Adds the reasons of what comments refer to, until no reference adds one.
  private mutating func follow() {
    var isNew = true
    while isNew {
      isNew = false
      for reference in references {
        for (name, reason) in byName where reference.names(reason) {
          var reason = reason
          guard reason.add(reference.subject) else { continue }
          byName[name] = reason
          isNew = true
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
    _ = reason.add(subject)
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
  private func reason(_ word: String, isListed: Bool) -> String? {
    guard word.count > 3, word.hasSuffix("`") else { return nil }
    let name = String(word.dropFirst().dropLast())
    guard !isProse || isListed || name.contains("_"), name.first?.isLetter == true,
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

extension Reasons.Reason {
  /// Notes that a comment names it; returns whether that was not known.
  fileprivate mutating func add(_ subject: Reasons.Subject) -> Bool {
    switch subject {
    case .method(let method) where !methods.contains(method): methods.append(method)
    case .service(let service) where !services.contains(service): services.append(service)
    case .method, .service, .anything: return false
    }
    return true
  }
}

extension Reasons.Reference {
  /// Whether the reason is one of those that it refers to.
  fileprivate func names(_ reason: Reasons.Reason) -> Bool {
    if let code, !reason.codes.contains(code) { return false }
    return !meanings.isDisjoint(with: reason.methods + reason.services)
  }

  /// The full names that it may mean: of a method of the same service, and of a service of the package.
  fileprivate var meanings: Set<String> {
    let scope: Substring
    switch subject {
    case .method(let method): scope = method[..<(method.lastIndex(of: ".") ?? method.startIndex)]
    case .service(let service): scope = service[...]
    case .anything: return []
    }
    let package = scope[..<(scope.lastIndex(of: ".") ?? scope.startIndex)]
    return ["\(scope).\(name)", "\(package).\(name)"]
  }
}
