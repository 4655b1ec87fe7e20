/// The type of a frame, the header's ninth byte.
public struct FrameType: RawRepresentable, Sendable, Hashable {
  /// The byte on the wire.
  public let rawValue: UInt8

  /// Accepts any byte: a type that this side does not know is kept, not refused.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Starts a call; only a client sends it.
  @inlinable public static var request: FrameType { FrameType(rawValue: 1) }
  /// Ends a call; only a server sends it.
  @inlinable public static var response: FrameType { FrameType(rawValue: 2) }
  /// One message of a stream, or its end.
  @inlinable public static var data: FrameType { FrameType(rawValue: 3) }
}

/// The flags of a frame, the header's tenth byte.
public struct FrameFlags: OptionSet, Sendable, Hashable {
  /// The byte on the wire.
  public let rawValue: UInt8

  /// Accepts any byte; bits without a meaning are kept and ignored.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The sender sends nothing more on this stream.
  @inlinable public static var remoteClosed: FrameFlags { FrameFlags(rawValue: 0x01) }
  /// The sender will send more on this stream.
  @inlinable public static var remoteOpen: FrameFlags { FrameFlags(rawValue: 0x02) }
  /// The frame carries no message; a Data frame without it carries one, even of zero bytes.
  @inlinable public static var noData: FrameFlags { FrameFlags(rawValue: 0x04) }
}

/// The ten bytes before every frame's body: length u32, stream id u32, type u8, flags u8, big-endian.
public struct FrameHeader: Sendable, Hashable {
  /// Bytes of the body that follows.
  public var length: UInt32
  /// The call that the frame belongs to; odd when a client started it.
  public var streamID: UInt32
  public var type: FrameType
  public var flags: FrameFlags

  /// A header's size on the wire.
  @inlinable public static var size: Int { 10 }
  /// The longest body that either side accepts, inclusive: ttrpc's fixed limit of 4 MiB for the whole envelope.
  @inlinable public static var maximumLength: Int { 4_194_304 }

  @inlinable
  public init(length: UInt32, streamID: UInt32, type: FrameType, flags: FrameFlags = []) {
    self.length = length
    self.streamID = streamID
    self.type = type
    self.flags = flags
  }

  /// Reads the header at the start of `bytes`, which must hold at least ``size`` of them.
  @inlinable
  public init(reading bytes: UnsafeRawBufferPointer) {
    length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    streamID = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    type = FrameType(rawValue: bytes[8])
    flags = FrameFlags(rawValue: bytes[9])
  }

  /// Writes the header to the start of `bytes`, which must have room for ``size`` of them.
  @inlinable
  public func write(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: length.bigEndian, toByteOffset: 0, as: UInt32.self)
    bytes.storeBytes(of: streamID.bigEndian, toByteOffset: 4, as: UInt32.self)
    bytes.storeBytes(of: type.rawValue, toByteOffset: 8, as: UInt8.self)
    bytes.storeBytes(of: flags.rawValue, toByteOffset: 9, as: UInt8.self)
  }
}
