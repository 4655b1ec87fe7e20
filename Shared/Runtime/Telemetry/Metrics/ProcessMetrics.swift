import Glibc

/// The kernel's figures of this process, under the names that Prometheus' own clients use.
struct ProcessMetrics {
  /// User and system time since the start, in seconds.
  var cpuSeconds = 0.0
  var residentBytes = 0.0
  var virtualBytes = 0.0
  var openDescriptors = 0.0
  var maxDescriptors = 0.0
  var threads = 0.0
  /// Seconds since 1970.
  var startTime = 0.0

  /// Reads `/proc/self`; a value that cannot be read stays zero, and a zero is not exposed.
  static func read() -> ProcessMetrics {
    var metrics = ProcessMetrics()
    // The command's name, second in the line, may hold spaces and brackets: fields count from the last ')'.
    let stat = smallFile("/proc/self/stat")
    let fields = (stat.lastIndex(of: ")").map { stat[$0...] } ?? "").split(separator: " ").dropFirst().map(String.init)
    let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
    func field(_ number: Int) -> Double { number - 3 < fields.count ? Double(fields[number - 3]) ?? 0 : 0 }
    if !fields.isEmpty {
      metrics.cpuSeconds = (field(14) + field(15)) / ticks
      metrics.threads = field(20)
      metrics.virtualBytes = field(23)
      metrics.residentBytes = field(24) * Double(sysconf(CInt(_SC_PAGESIZE)))
      metrics.startTime = bootTime.map { $0 + field(22) / ticks } ?? 0
    }
    metrics.openDescriptors = openDescriptorCount()
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      metrics.maxDescriptors = Double(limit.rlim_cur)
    }
    return metrics
  }

  func write(to text: inout Exposition) {
    func add(_ name: String, _ kind: FamilyKind, _ help: String, _ value: Double) {
      guard value > 0 else { return }
      text.begin(name, kind, help)
      text.sample(name, "", value)
    }
    add("process_cpu_seconds_total", .counter, "User and system CPU time spent in seconds.", cpuSeconds)
    add("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", residentBytes)
    add("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", virtualBytes)
    add("process_open_fds", .gauge, "Open file descriptors.", openDescriptors)
    add("process_max_fds", .gauge, "The most file descriptors that may be open.", maxDescriptors)
    add("process_threads", .gauge, "Threads of the process.", threads)
    add("process_start_time_seconds", .gauge, "Start of the process in seconds since 1970.", startTime)
  }

  /// When the machine started, in seconds since 1970.
  private static let bootTime: Double? =
    smallFile("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
    .flatMap { Double($0.dropFirst("btime ".count)) }

  private static func openDescriptorCount() -> Double {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return Double(max(0, count - 3))  // ".", ".." and the directory that is being read
  }

  /// The text of a file of the kernel's, whose size is not known beforehand.
  private static func smallFile(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
