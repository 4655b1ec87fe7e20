import ProtobufDescriptor
import Reflection

@testable import tandem

/// A proto file with every kind of field, and protoc, which knows what is right.
final class Everything: Sendable {
  static let proto = """
    syntax = "proto3";
    package test;
    import "google/protobuf/any.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/field_mask.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/wrappers.proto";
    // How it feels.
    enum Mood { MOOD_UNSPECIFIED = 0; MOOD_GOOD = 1; MOOD_BAD = -1; }
    // Holds one of everything.
    message Everything {
      double a_double = 1; float a_float = 2; int32 an_int32 = 3; int64 an_int64 = 4; uint32 a_uint32 = 5;
      uint64 a_uint64 = 6; sint32 a_sint32 = 7; sint64 a_sint64 = 8; fixed32 a_fixed32 = 9; fixed64 a_fixed64 = 10;
      sfixed32 a_sfixed32 = 11; sfixed64 a_sfixed64 = 12; bool a_bool = 13; string a_string = 14; bytes some_bytes = 15;
      Mood mood = 16; Everything nested = 17; repeated int32 numbers = 18; repeated string words = 19;
      map<string, int64> counts = 20; map<int32, Everything> byNumber = 21; repeated Mood moods = 22;
      oneof choice { string text = 23; int32 number = 24; Everything message = 25; }
      optional int32 maybe = 26;
      google.protobuf.Timestamp time = 27; google.protobuf.Duration duration = 28; google.protobuf.FieldMask mask = 29;
      google.protobuf.Any any = 30; google.protobuf.Struct struct = 31; google.protobuf.Value value = 32;
      google.protobuf.Int64Value wrapped = 33; google.protobuf.StringValue wrapped_text = 34;
      repeated double doubles = 35 [packed = false]; map<bool, string> flags = 36; google.protobuf.ListValue list = 37;
      string odd_name = 38 [json_name = "ODD"];
    }
    """

  let schema: Schema
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.proto, to: "everything.proto")
    _ = try Command(
      "/usr/bin/protoc",
      [
        "-I", scratch.path, "--include_imports", "--include_source_info",
        "--descriptor_set_out=\(scratch.path)/set", "everything.proto",
      ]
    ).finish()
    var schema = Schema()
    try schema.include(fileDescriptorSet: try Self.bytes("\(scratch.path)/set"))
    self.schema = schema
  }

  /// The wire form of a message in protobuf's text format, by protoc.
  func encode(text: String) throws -> [UInt8] {
    try scratch.write(text, to: "message.txt")
    let command = "protoc -I \(scratch.path) --encode=test.Everything everything.proto"
    let result = try Command(
      "/bin/sh", ["-c", "\(command) < \(scratch.path)/message.txt > \(scratch.path)/message.bin"]
    ).finish()
    guard result.status == 0 else { throw Command.Failure(text: result.errors) }
    return try Self.bytes("\(scratch.path)/message.bin")
  }

  /// protobuf's text format of wire bytes, by protoc.
  func decode(_ bytes: [UInt8]) throws -> String {
    let octal = bytes.map { "\\0" + String($0, radix: 8) }.joined()
    let result = try Command(
      "/bin/sh", ["-c", "printf '%b' '\(octal)' | protoc -I \(scratch.path) --decode=test.Everything everything.proto"]
    ).finish()
    guard result.status == 0 else { throw Command.Failure(text: result.errors) }
    return result.output
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let hexadecimal = try Command("/usr/bin/od", ["-An", "-v", "-tx1", path]).finish().output
    return hexadecimal.split { $0 == " " || $0 == "\n" }.compactMap { UInt8($0, radix: 16) }
  }

  /// JSON → message → bytes, the bytes → JSON.
  func json(_ text: String) throws -> String {
    let message = try schema.message("test.Everything", from: JSONValue(parsing: text))
    return try schema.json(try schema.decode(schema.encode(message), as: "test.Everything")).text(.oneLine)
  }
}
