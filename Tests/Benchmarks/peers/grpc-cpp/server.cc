// Serves the unary echo by gRPC C++'s callback API on any free port of 127.0.0.1, and says which.
#include <grpcpp/grpcpp.h>

#include <iostream>
#include <memory>

#include "echo/v1/echo.grpc.pb.h"

class EchoService final : public echo::v1::Echo::CallbackService {
  grpc::ServerUnaryReactor* Unary(grpc::CallbackServerContext* context, const echo::v1::Msg* request,
                                  echo::v1::Msg* response) override {
    response->set_value(request->value());
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

int main() {
  EchoService service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "grpc-cpp-server: cannot listen\n";
    return 1;
  }
  std::cout << "listening on 127.0.0.1:" << port << std::endl;
  server->Wait();
}
