import CExpat
import FileContents
import Glibc

/// The local name of an element or attribute as a number, so that comparing it costs nothing. Names that collide are only misread.
struct XMLName: Hashable {
  let value: UInt64

  /// The FNV-1a hash of the part behind the last colon.
  init(_ name: UnsafePointer<CChar>) {
    let start = UInt64(0xcbf2_9ce4_8422_2325)
    var (hash, next) = (start, name)
    while case let byte = UInt8(bitPattern: next.pointee), byte != 0 {
      hash = byte == UInt8(ascii: ":") ? start : (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      next += 1
    }
    value = hash
  }
}

extension XMLName: ExpressibleByStringLiteral {
  /// Folded to a number by the compiler, for names of a few letters.
  @inline(__always)
  init(stringLiteral name: StaticString) {
    var hash = UInt64(0xcbf2_9ce4_8422_2325)
    name.withUTF8Buffer { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    value = hash
  }
}

/// The attributes of an element, valid while it is begun.
struct XMLAttributes {
  fileprivate let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  /// Calls `body` with each name and value.
  @inline(__always)
  func forEach(_ body: (XMLName, UnsafePointer<CChar>) -> Void) {
    guard var pointer = list else { return }
    while let name = pointer.pointee, let value = pointer[1] {
      body(XMLName(name), value)
      pointer += 2
    }
  }
}

/// The text of an element, valid while the element ends.
typealias XMLText = UnsafeBufferPointer<UInt8>

/// What is made of a document.
protocol XMLVisitor: AnyObject {
  /// An element begins; returns whether its text is wanted.
  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool
  /// An element ends; `text` is its text, where it was wanted.
  func end(_ name: XMLName, _ text: XMLText) throws(XMLRefusal)
}

/// A visitor's refusal of the element that is being read.
struct XMLRefusal: Error {
  var kind = ActivityFileFault.Kind.broken
  let message: String
}

/// Reads a document with expat, without entities of the document's own: there are none in these formats.
struct XMLReader {
  /// Who reads a document with a root element of this name.
  typealias Choice = (XMLName) throws(XMLRefusal) -> any XMLVisitor

  private let parser: XML_Parser
  private let choice: Choice
  private var visitor: (any XMLVisitor)?
  private let text: UnsafeMutableBufferPointer<UInt8>
  private var textLength = 0
  private var isTextWanted = false
  /// Of the elements that have begun.
  private let names: UnsafeMutableBufferPointer<XMLName>
  private var depth = 0
  private var refusal: XMLRefusal?

  private init(_ choice: @escaping Choice) throws(ActivityFileFault) {
    guard let parser = XML_ParserCreate(nil) else {
      throw ActivityFileFault(.broken, "There is no memory for the file", offset: 0)
    }
    (self.parser, self.choice) = (parser, choice)
    text = .allocate(capacity: FileLimits.textBytes)
    names = .allocate(capacity: FileLimits.xmlDepth)
  }

  /// Reads a document to its end.
  ///
  /// - Throws: the fault; the visitor saw everything before it.
  static func read(_ source: inout some ByteSource, _ visitor: any XMLVisitor) throws(ActivityFileFault) {
    try read(&source) { _ in visitor }
  }

  /// Reads a document of any kind to its end.
  ///
  /// - Throws: the fault; the visitor saw everything before it.
  static func read(_ source: inout some ByteSource, _ choice: @escaping Choice) throws(ActivityFileFault) {
    let reader = UnsafeMutablePointer<XMLReader>.allocate(capacity: 1)
    defer { reader.deallocate() }
    reader.initialize(to: try XMLReader(choice))
    defer {
      XML_ParserFree(reader.pointee.parser)
      reader.pointee.text.deallocate()
      reader.pointee.names.deallocate()
      reader.deinitialize(count: 1)
    }
    let parser = reader.pointee.parser
    XML_SetUserData(parser, reader)
    XML_SetElementHandler(
      parser, { XMLReader.of($0)?.pointee.begin($1, $2) }, { data, _ in XMLReader.of(data)?.pointee.end() })
    XML_SetCharacterDataHandler(parser) { XMLReader.of($0)?.pointee.append($1, $2) }
    XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      XMLReader.of(data)?.pointee.refuse(XMLRefusal(message: "The file declares entities"))
    }
    while true {
      let size = 1 << 16
      guard let buffer = XML_GetBuffer(parser, Int32(size)) else { throw reader.pointee.fault() }
      let count = try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
      guard XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0) == XML_STATUS_OK else {
        throw reader.pointee.fault()
      }
      if count == 0 { return }
    }
  }

  /// What expat passes to its handlers.
  private static func of(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLReader>? {
    data?.assumingMemoryBound(to: XMLReader.self)
  }

  private func fault() -> ActivityFileFault {
    let (offset, line) = (Int(XML_GetCurrentByteIndex(parser)), Int(XML_GetCurrentLineNumber(parser)))
    if let refusal { return ActivityFileFault(refusal.kind, refusal.message, offset: max(0, offset), line: line) }
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
    return ActivityFileFault(.broken, "The file is not well-formed XML: \(reason)", offset: max(0, offset), line: line)
  }

  private mutating func refuse(_ refusal: XMLRefusal) {
    guard self.refusal == nil else { return }
    self.refusal = refusal
    XML_StopParser(parser, 0)
  }

  private mutating func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard refusal == nil, let name else { return }
    guard depth < names.count else {
      return refuse(XMLRefusal(kind: .tooMuch, message: "Elements are nested too deeply"))
    }
    let own = XMLName(name)
    names[depth] = own
    depth += 1
    textLength = 0
    do throws(XMLRefusal) {
      if visitor == nil { visitor = try choice(own) }
      isTextWanted = try visitor?.begin(own, XMLAttributes(list: attributes)) ?? false
    } catch { refuse(error) }
  }

  private mutating func end() {
    guard refusal == nil, depth > 0 else { return }
    depth -= 1
    do throws(XMLRefusal) {
      try visitor?.end(names[depth], XMLText(rebasing: text[..<(isTextWanted ? textLength : 0)]))
    } catch { refuse(error) }
    isTextWanted = false
  }

  private mutating func append(_ characters: UnsafePointer<CChar>?, _ count: Int32) {
    guard isTextWanted, refusal == nil, let characters else { return }
    guard textLength + Int(count) <= text.count else {
      return refuse(XMLRefusal(kind: .tooMuch, message: "The text of an element is too long"))
    }
    let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(text)[textLength...]).copyMemory(from: bytes)
    textLength += Int(count)
  }
}
