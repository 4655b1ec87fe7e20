import FuzzTargets
import Glibc

/// Gives a fuzz target bytes: `fuzz TARGET FILE…` those of files, and in a build for fuzzing (`make fuzz`) any that libFuzzer thinks of,
/// with libFuzzer's own arguments after the target's name.
@main
enum Fuzzer {
  /// The target that receives the bytes.
  ///
  /// `nonisolated(unsafe)`: written only while the arguments are read, before the first run; libFuzzer runs a process's inputs one by one.
  nonisolated(unsafe) private static var target = FuzzTarget.frames

  /// libFuzzer starts itself again, for merging say, and knows nothing of a target's name among its arguments.
  private static let variable = "FUZZ_TARGET"

  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    let name = getenv(variable).map { String(cString: $0) } ?? arguments.popFirst() ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) …")
      exit(2)
    }
    self.target = target
    #if FUZZING
      setenv(variable, name, 1)
      exit(fuzz(arguments: [CommandLine.arguments[0]] + arguments))
    #else
      for path in arguments { replay(path) }
    #endif
  }

  private static func replay(_ path: String) {
    guard let file = fopen(path, "rb") else {
      perror(path)
      exit(1)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    bytes[..<count].withUnsafeBytes { run($0) }
  }

  #if FUZZING
    private static func fuzz(arguments: [String]) -> Int32 {
      var count = Int32(arguments.count)
      var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      return pointers.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        return runDriver(&count, &start, tryInput)
      }
    }
  #endif

  static func run(_ bytes: UnsafeRawBufferPointer) { target.run(bytes) }
}

#if FUZZING
  /// libFuzzer looks for this name.
  @_cdecl("LLVMFuzzerTestOneInput")
  func tryInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    Fuzzer.run(UnsafeRawBufferPointer(start: data, count: size))
    return 0
  }

  /// libFuzzer's own loop; its `main` is not used because Swift's is.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32
#endif
