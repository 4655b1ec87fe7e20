public import CProtobufC

/// A Swift value with the content of a protobuf message. StubGenerator writes the conformances.
///
/// A C struct never leaves one synchronous `decode` or `packed(in:)`.
public protocol ProtobufMessage: Sendable, Equatable {
  /// Full name, such as `tandem.identity.v1.Profile`.
  static var protobufName: String { get }
  /// The description of the C struct, for libprotobuf-c.
  static var cDescriptor: UnsafePointer<ProtobufCMessageDescriptor> { get }
  /// Whether the type can contain itself, so that its depth must be checked before decoding.
  static var isRecursive: Bool { get }
  /// The message with every field at its default.
  init()
  /// Copies the content out of the C struct and checks that text is UTF-8.
  static func read(_ message: UnsafePointer<ProtobufCMessage>) throws(ProtobufError) -> Self
  /// Builds the C struct, valid until the arena is reset.
  func write(in arena: Arena) -> UnsafeMutablePointer<ProtobufCMessage>
}

/// Why bytes are not a message.
public enum ProtobufError: Error, Equatable {
  /// They do not follow the wire format, or lack a required field.
  case malformed
  /// A text holds bytes that are not UTF-8. `field` is the message's full name, a dot and the path:
  /// `a.v1.Book.authors[2].name`.
  case invalidUTF8(field: String)
  /// Messages are nested deeper than the limit.
  case tooDeep(limit: Int)
  /// More fields than the arena allows, those of nested messages included: known and unknown ones, and elements of
  /// lists.
  case tooManyFields(limit: Int)
  /// Decoding would take more memory than the arena allows.
  case tooLarge
  /// Numbers that their enums have no names for, a hundred at most: only in a request, see ``RequestDecoder``.
  case unknownEnumValues([UnknownEnumValue])
}

/// A message ready for the wire, valid until the arena that it was built in is reset.
public struct PackedMessage {
  /// Bytes on the wire.
  public let size: Int
  @usableFromInline let message: UnsafeMutablePointer<ProtobufCMessage>
  /// The bytes, where they are already written.
  @usableFromInline let made: UnsafeMutablePointer<UInt8>?

  /// Builds the C form of `message` in `arena`.
  ///
  /// libprotobuf-c traverses a message once to compute its size and once to pack it. A message that is not large is
  /// packed at once, in the arena, because copying it from there is faster than computing its size.
  @inlinable
  init(_ message: borrowing some ProtobufMessage, in arena: Arena) {
    let before = arena.storage.pointee
    let message = message.write(in: arena)
    self.message = message
    let taken = before.overflow == arena.storage.pointee.overflow ? arena.storage.pointee.cursor - before.cursor : .max
    guard taken <= Self.largestAtOnce, let room = arena.room(for: UInt8.self, count: Self.most * taken) else {
      made = nil
      size = protobuf_c_message_get_packed_size(message)
      return
    }
    made = room
    size = protobuf_c_message_pack(message, room)
    precondition(size <= Self.most * taken, "a message takes less room than was made for it")
  }

  /// Bytes of the C form up to which a message is packed at once.
  @usableFromInline static let largestAtOnce = 2_048

  /// How many times as long as the C form the wire form can be. Every value has at least four bytes of the former, in a
  /// struct or a list, and at most fifteen of the latter: ten of a negative number and five of its tag. Text and bytes
  /// are equally long in both; their tag and length, like those of a message, fit in the sixteen bytes and more that
  /// point to them.
  @usableFromInline static let most = 4

  /// Writes exactly `size` bytes.
  @inlinable
  public func copy(to destination: UnsafeMutableRawPointer) {
    if let made {
      destination.copyMemory(from: made, byteCount: size)
    } else {
      protobuf_c_message_pack(message, destination.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// The encoded message, in an array of its own.
  @inlinable
  public var bytes: [UInt8] {
    if let made { return Array(UnsafeBufferPointer(start: made, count: size)) }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      if let start = buffer.baseAddress { copy(to: start) }
      count = size
    }
  }
}

extension ProtobufMessage {
  /// Most types cannot contain themselves.
  @inlinable
  public static var isRecursive: Bool { false }

  /// The message that the bytes encode; fields this version does not know are dropped.
  ///
  /// Leaves the arena as it was before.
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer, in arena: Arena) throws(ProtobufError) -> Self {
    try decode(bytes, in: arena) { _ in }
  }

  /// The message that the bytes encode, and the memory that its value takes.
  ///
  /// - Parameter held: set to the bytes of the value and all that it refers to, at most.
  @inlinable
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, in arena: Arena, holding held: inout Int
  ) throws(ProtobufError) -> Self {
    try decode(bytes, in: arena) { held = HeldMemory.bytes($0, arena) }
  }

  /// - Parameter look: called with the C struct before it is read.
  @inlinable @inline(__always)
  static func decode(
    _ bytes: UnsafeRawBufferPointer, in arena: Arena,
    _ look: (UnsafePointer<ProtobufCMessage>) throws(ProtobufError) -> Void
  ) throws(ProtobufError) -> Self {
    // A field takes at least two bytes, so short messages need no scan.
    if isRecursive || bytes.count / 2 > arena.fieldLimit {
      try NestingScan.check(bytes, cDescriptor, fields: arena.fieldLimit)
    }
    let mark = tandem_arena_here(arena.storage)
    arena.storage.pointee.allowance = arena.decodeLimit
    arena.storage.pointee.exhausted = 0
    defer {
      arena.storage.pointee.allowance = .max
      tandem_arena_rewind(arena.storage, mark)
    }
    guard let message = tandem_arena_unpack(arena.storage, cDescriptor, bytes.baseAddress, bytes.count) else {
      throw arena.storage.pointee.exhausted == 0 ? .malformed : .tooLarge
    }
    try look(message)
    do throws(ProtobufError) { return try read(message) } catch { throw error.placed(in: message) }
  }

  /// The message, ready to be copied into a frame, valid until the arena is reset.
  @inlinable
  public func packed(in arena: Arena) -> PackedMessage { PackedMessage(self, in: arena) }

  /// Decodes with an arena of its own: for tests, tools and rare messages.
  public init(serialized: some Sequence<UInt8>) throws(ProtobufError) {
    let bytes = [UInt8](serialized)
    let arena = Arena(firstBlock: Self.smallBlock, fieldLimit: .max)
    self = try bytes.withUnsafeBufferPointer { buffer throws(ProtobufError) in
      try Self.decode(UnsafeRawBufferPointer(buffer), in: arena)
    }
  }

  /// Encodes with an arena of its own: for tests, tools and rare messages. Equal messages have equal bytes.
  public func serialized() -> [UInt8] {
    let arena = Arena(firstBlock: Self.smallBlock)
    return withExtendedLifetime(arena) { packed(in: arena).bytes }
  }

  /// Enough for a message of ordinary size.
  private static var smallBlock: Int { 4096 }
}
