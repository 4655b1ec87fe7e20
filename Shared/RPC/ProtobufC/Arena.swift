public import CProtobufC

/// Memory for the C structs of one decode or encode, released all at once.
///
/// One for each event loop; not safe to share between threads. `reset()` ends the life of everything that was built in
/// it and keeps the first block, so a loop that resets after every burst allocates nothing in the usual case.
public final class Arena {
  /// Enough for the structs of an ordinary burst.
  public static let defaultFirstBlock = 64 * 1024
  /// 16 times the largest frame. More is an attempt to exhaust memory, since a decoded message is seldom ten times its
  /// wire size.
  public static let defaultDecodeLimit = 64 * 1024 * 1024
  /// Several times the longest list of the contracts, and read in a millisecond or two: each field costs libprotobuf-c
  /// some 25 ns and 40 bytes, whether or not its type is known, and a frame of 4 MiB has room for two million.
  public static let defaultFieldLimit = 65_536

  @usableFromInline let storage: UnsafeMutablePointer<tandem_arena>
  @usableFromInline let decodeLimit: Int
  @usableFromInline let fieldLimit: Int
  /// Bytes of a value of each type measured so far: see ``HeldMemory``.
  var valueSizes: [UnsafePointer<ProtobufCMessageDescriptor>: Int] = [:]

  /// Allocates the first block at once.
  ///
  /// - Parameters:
  ///   - firstBlock: bytes that stay allocated for the arena's lifetime.
  ///   - decodeLimit: bytes that one decode may take beyond the first block.
  ///   - fieldLimit: fields of a message in one decode, those of nested messages included.
  public init(
    firstBlock: Int = Arena.defaultFirstBlock, decodeLimit: Int = Arena.defaultDecodeLimit,
    fieldLimit: Int = Arena.defaultFieldLimit
  ) {
    precondition(firstBlock > 0 && decodeLimit >= 0 && fieldLimit >= 0, "an arena's sizes are positive")
    guard let storage = tandem_arena_create(firstBlock) else { fatalError("no memory for an arena") }
    self.storage = storage
    self.decodeLimit = decodeLimit
    self.fieldLimit = fieldLimit
  }

  deinit { tandem_arena_destroy(storage) }

  /// Ends the life of everything that was built in the arena.
  @inlinable
  public func reset() { tandem_arena_reset(storage) }

  /// The C struct that the bytes encode, valid until the arena is reset; `nil` for bytes that are not that message, or
  /// need too much memory.
  ///
  /// For envelopes that are read in place. The type must not be able to contain itself.
  @inlinable
  public func unpack<C>(
    _: C.Type, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeMutablePointer<C>? {
    storage.pointee.allowance = decodeLimit
    defer { storage.pointee.allowance = .max }
    let message = tandem_arena_unpack(storage, descriptor, bytes.baseAddress, bytes.count)
    return message.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: C.self) }
  }

  /// A copy of the text's UTF-8.
  @inlinable @inline(__always)
  public func copy(_ text: borrowing String) -> ProtobufCBinaryData {
    text.utf8Span.span.withUnsafeBytes { copy($0) }
  }

  /// A copy of the bytes.
  @inlinable @inline(__always)
  public func copy(_ bytes: [UInt8]) -> ProtobufCBinaryData { bytes.withUnsafeBytes { copy($0) } }

  /// Copies of all texts, or nil for none.
  @inlinable
  public func copy(_ texts: [String]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    let copies = room(for: ProtobufCBinaryData.self, count: texts.count)
    for index in texts.indices { copies?[index] = copy(texts[index]) }
    return copies
  }

  /// Copies of all byte strings, or nil for none.
  @inlinable
  public func copy(_ strings: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    let copies = room(for: ProtobufCBinaryData.self, count: strings.count)
    for index in strings.indices { copies?[index] = copy(strings[index]) }
    return copies
  }

  /// A copy of plain numbers, or nil for none.
  @inlinable
  public func copy<Number: Numeric & BitwiseCopyable>(_ numbers: [Number]) -> UnsafeMutablePointer<Number>? {
    let copies = room(for: Number.self, count: numbers.count)
    numbers.withUnsafeBufferPointer { if let start = $0.baseAddress { copies?.update(from: start, count: $0.count) } }
    return copies
  }

  /// protobuf-c's booleans, or nil for none.
  @inlinable
  public func copy(_ flags: [Bool]) -> UnsafeMutablePointer<protobuf_c_boolean>? {
    let copies = room(for: protobuf_c_boolean.self, count: flags.count)
    for index in flags.indices { copies?[index] = flags[index] ? 1 : 0 }
    return copies
  }

  /// A C enum's values, or nil for none.
  @inlinable
  public func copyAll<Value: ProtobufEnum, C: RawRepresentable>(_ values: [Value]) -> UnsafeMutablePointer<C>?
  where C.RawValue: FixedWidthInteger {
    let copies = room(for: C.self, count: values.count)
    for index in values.indices {
      if let value = C(rawValue: C.RawValue(truncatingIfNeeded: values[index].rawValue)) {
        copies?.advanced(by: index).initialize(to: value)
      }
    }
    return copies
  }

  /// The C structs of all messages, or nil for none.
  @inlinable
  public func build<Message: ProtobufMessage, C>(_ messages: [Message]) -> UnsafeMutablePointer<
    UnsafeMutablePointer<C>?
  >? {
    let structs = room(for: UnsafeMutablePointer<C>?.self, count: messages.count)
    // Through their pointer: an element of an array is copied first, with a reference counted for each of its texts.
    messages.withUnsafeBufferPointer { messages in
      for index in messages.indices { structs?[index] = build(messages[index]) }
    }
    return structs
  }

  /// The C struct of a message.
  @inlinable @inline(__always)
  public func build<Message: ProtobufMessage, C>(_ message: borrowing Message) -> UnsafeMutablePointer<C> {
    UnsafeMutableRawPointer(message.write(in: self)).assumingMemoryBound(to: C.self)
  }

  /// Room for the C struct of a message: all zero, with its descriptor.
  @inlinable @inline(__always)
  public func message<C>(_: C.Type, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> UnsafeMutablePointer<C>
  {
    guard let message = tandem_arena_message(storage, descriptor, MemoryLayout<C>.size) else { Self.outOfMemory() }
    return UnsafeMutableRawPointer(message).assumingMemoryBound(to: C.self)
  }

  /// Uninitialized room, or nil for none.
  @inlinable @inline(__always)
  public func room<C>(for _: C.Type, count: Int) -> UnsafeMutablePointer<C>? {
    count == 0 ? nil : take(count * MemoryLayout<C>.stride).assumingMemoryBound(to: C.self)
  }
}

extension Arena {
  @inlinable @inline(__always)
  func take(_ size: Int) -> UnsafeMutableRawPointer {
    guard let memory = tandem_arena_take(storage, size) else { Self.outOfMemory() }
    return memory
  }

  @inlinable @inline(__always)
  func copy(_ bytes: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return ProtobufCBinaryData(len: 0, data: nil) }
    let memory = take(bytes.count)
    memory.copyMemory(from: start, byteCount: bytes.count)
    return ProtobufCBinaryData(len: bytes.count, data: memory.assumingMemoryBound(to: UInt8.self))
  }

  /// Only the service's own messages are built without a limit, so a failure here is the system's lack of memory, not a
  /// caller's doing.
  @usableFromInline
  static func outOfMemory() -> Never { fatalError("no memory to encode a message") }
}
