import CExpat
import FileContents
import Glibc

/// The local name of an element or attribute as a number, so that comparing it costs nothing. Names that collide are only misread.
struct XMLName: Hashable {
  let value: UInt64

  /// The FNV-1a hash of the part behind the last colon.
  init(_ name: UnsafePointer<CChar>) {
    var (hash, pointer) = (UInt64(0xcbf2_9ce4_8422_2325), name)
    while pointer.pointee != 0 {
      if pointer.pointee == 0x3A {
        hash = 0xcbf2_9ce4_8422_2325
      } else {
        hash = (hash ^ UInt64(UInt8(bitPattern: pointer.pointee))) &* 0x100_0000_01b3
      }
      pointer += 1
    }
    value = hash
  }

  init(_ name: StaticString) {
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

/// What is made of a document.
protocol XMLVisitor: AnyObject {
  /// An element begins; returns whether its text is wanted.
  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool
  /// An element ends; `text` is its text, where it was wanted.
  func end(_ name: XMLName, _ text: ArraySlice<UInt8>) throws(XMLRefusal)
}

/// A visitor's refusal of the element that is being read.
struct XMLRefusal: Error {
  var kind = ActivityFileFault.Kind.broken
  let message: String
}

/// Reads a document with expat, without entities of the document's own: there are none in these formats.
final class XMLReader {
  private let parser: XML_Parser
  private unowned let visitor: any XMLVisitor
  private var text: [UInt8] = []
  private var isTextWanted = false
  private var depth = 0
  private var refusal: XMLRefusal?

  private init(_ visitor: any XMLVisitor) throws(ActivityFileFault) {
    guard let parser = XML_ParserCreate(nil) else {
      throw ActivityFileFault(.broken, "There is no memory for the file", offset: 0)
    }
    (self.parser, self.visitor) = (parser, visitor)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLReader.from($0)?.begin($1, $2) }, { data, name in XMLReader.from(data)?.end(name) })
    XML_SetCharacterDataHandler(parser) { XMLReader.from($0)?.append($1, $2) }
    XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      XMLReader.from(data)?.refuse(XMLRefusal(message: "The file declares entities"))
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Reads a document to its end.
  ///
  /// - Throws: the fault; the visitor saw everything before it.
  static func read(_ source: inout some ByteSource, _ visitor: any XMLVisitor) throws(ActivityFileFault) {
    let reader = try XMLReader(visitor)
    while true {
      let size = 1 << 16
      guard let buffer = XML_GetBuffer(reader.parser, Int32(size)) else { throw reader.fault() }
      let count = try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
      guard XML_ParseBuffer(reader.parser, Int32(count), count == 0 ? 1 : 0) == XML_STATUS_OK else {
        throw reader.fault()
      }
      if count == 0 { return }
    }
  }

  private func fault() -> ActivityFileFault {
    let (offset, line) = (Int(XML_GetCurrentByteIndex(parser)), Int(XML_GetCurrentLineNumber(parser)))
    if let refusal { return ActivityFileFault(refusal.kind, refusal.message, offset: max(0, offset), line: line) }
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
    return ActivityFileFault(.broken, "The file is not well-formed XML: \(reason)", offset: max(0, offset), line: line)
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func refuse(_ refusal: XMLRefusal) {
    guard self.refusal == nil else { return }
    self.refusal = refusal
    XML_StopParser(parser, 0)
  }

  private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard refusal == nil, let name else { return }
    depth += 1
    guard depth <= FileLimits.xmlDepth else {
      return refuse(XMLRefusal(kind: .tooMuch, message: "Elements are nested too deeply"))
    }
    text.removeAll(keepingCapacity: true)
    do throws(XMLRefusal) {
      isTextWanted = try visitor.begin(XMLName(name), XMLAttributes(list: attributes))
    } catch { refuse(error) }
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    guard refusal == nil, let name else { return }
    depth -= 1
    do throws(XMLRefusal) { try visitor.end(XMLName(name), isTextWanted ? text[...] : []) } catch { refuse(error) }
    isTextWanted = false
    text.removeAll(keepingCapacity: true)
  }

  private func append(_ characters: UnsafePointer<CChar>?, _ count: Int32) {
    guard isTextWanted, refusal == nil, let characters else { return }
    guard text.count + Int(count) <= FileLimits.textBytes else {
      return refuse(XMLRefusal(kind: .tooMuch, message: "The text of an element is too long"))
    }
    characters.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
      text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }
}
