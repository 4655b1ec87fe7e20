// Loads the gRPC C++ server over one connection, by the completion queue, and prints what it saw as one line of JSON.
// Usage: client --port N --callers N --seconds S --warm S --server-pid PID
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "echo/v1/echo.grpc.pb.h"

using Clock = std::chrono::steady_clock;

// User and system time of a process, in seconds.
static double CPUSeconds(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  auto end = text.rfind(')');
  if (end == std::string::npos) return 0;
  char state;
  long skipped[10], user = 0, system = 0;
  int found = sscanf(text.c_str() + end + 1, " %c %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld", &state, &skipped[0],
                     &skipped[1], &skipped[2], &skipped[3], &skipped[4], &skipped[5], &skipped[6], &skipped[7],
                     &skipped[8], &skipped[9], &user, &system);
  return found == 13 ? double(user + system) / sysconf(_SC_CLK_TCK) : 0;
}

// One caller: its call in flight and what that needs to stay alive.
struct Caller {
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::ClientAsyncResponseReader<echo::v1::Msg>> reader;
  echo::v1::Msg answer;
  grpc::Status status;
  Clock::time_point sent;
};

class Load {
 public:
  Load(echo::v1::Echo::Stub* stub, int callers) : stub_(stub), callers_(callers) {
    message_.set_value(std::string(64, 'x'));
  }

  // Every caller calls, waits, and calls again until the time is up; the latencies in microseconds.
  std::vector<double> Run(double seconds) {
    auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<double> latencies;
    latencies.reserve(1 << 20);
    for (auto& caller : callers_) Send(caller);
    size_t running = callers_.size();
    void* tag;
    bool ok;
    while (running > 0 && queue_.Next(&tag, &ok)) {
      auto& caller = *static_cast<Caller*>(tag);
      auto now = Clock::now();
      if (!ok || !caller.status.ok() || caller.answer.value() != message_.value()) {
        fprintf(stderr, "grpc-cpp-client: %s\n", caller.status.error_message().c_str());
        exit(1);
      }
      latencies.push_back(std::chrono::duration<double, std::micro>(now - caller.sent).count());
      if (now < end) {
        Send(caller);
      } else {
        running--;
      }
    }
    return latencies;
  }

 private:
  void Send(Caller& caller) {
    caller.sent = Clock::now();
    caller.context = std::make_unique<grpc::ClientContext>();
    caller.reader = stub_->AsyncUnary(caller.context.get(), message_, &queue_);
    caller.reader->Finish(&caller.answer, &caller.status, &caller);
  }

  echo::v1::Echo::Stub* stub_;
  grpc::CompletionQueue queue_;
  echo::v1::Msg message_;
  std::vector<Caller> callers_;
};

int main(int count, char** arguments) {
  std::map<std::string, std::string> options;
  for (int i = 1; i + 1 < count; i += 2) options[arguments[i]] = arguments[i + 1];
  auto channel = grpc::CreateChannel("127.0.0.1:" + options["--port"], grpc::InsecureChannelCredentials());
  auto stub = echo::v1::Echo::NewStub(channel);
  Load load(stub.get(), atoi(options["--callers"].c_str()));
  load.Run(atof(options["--warm"].c_str()));
  double cpu = CPUSeconds(options["--server-pid"]);
  auto begun = Clock::now();
  auto latencies = load.Run(atof(options["--seconds"].c_str()));
  double elapsed = std::chrono::duration<double>(Clock::now() - begun).count();
  cpu = CPUSeconds(options["--server-pid"]) - cpu;
  std::sort(latencies.begin(), latencies.end());
  double calls = double(latencies.size());
  auto quantile = [&](double part) { return latencies[size_t(part * (calls - 1))]; };
  printf("{\"rate\":%f,\"p50_us\":%f,\"p99_us\":%f,\"cpu_us\":%f}\n", calls / elapsed, quantile(0.5), quantile(0.99),
         cpu / calls * 1e6);
}
