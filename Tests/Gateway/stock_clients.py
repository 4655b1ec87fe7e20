"""Clients by stock libraries, each with the stubs that its stock generator makes of the contract, behind one face."""

import asyncio
import importlib
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import sys

import grpc
import grpclib.client
import grpclib.exceptions
import pyqwest
import sonora.client
import sonora.protocol
from connectrpc.codec import proto_binary_codec, proto_json_codec
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from google.protobuf import json_format, message_factory
from google.rpc import error_details_pb2
from grpc_status import rpc_status

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where the services of the tests are declared.
FILES = {
    "Accounts": "tandem.identity.v1.accounts",
    "Profiles": "tandem.identity.v1.profiles",
    "Books": "tandem.catalog.v1.books",
    "Loans": "tandem.lending.v1.loans",
    "Chat": "tandem.chat.v1.chat",
}


def generate(folder):
    """Makes the stubs of every library in one folder, from which they are imported then."""
    protos = [str(path) for name in ("tandem", "google/type") for path in sorted((ROOT / "Proto" / name).rglob("*.proto"))]
    tools = pathlib.Path(sys.executable).parent
    # The modules of connectrpc name each other relative to a package that all of them are in.
    connect = folder / "connect_stubs"
    connect.mkdir()
    outs = [f"--{name}_out={folder}" for name in ("python", "grpc_python", "grpclib_python")]
    outs += [f"--{name}_out={connect}" for name in ("py", "connectrpc")]
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'Proto'}", *outs, *protos],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        check=True,
    )
    # What the packages of PyPI have is theirs.
    shutil.rmtree(folder / "google")
    sys.path.insert(0, str(folder))


class Refused(Exception):
    """The error of a call: its code, as in `NOT_FOUND`, and the reason in its details, where the library tells them."""

    def __init__(self, code, reason):
        super().__init__(code, reason)
        self.code, self.reason = code, reason


class StockClient:
    """Requests and answers are dictionaries, as in JSON; what is between is the library's."""

    tells_details = True
    streams_requests = True

    def call(self, service, method, fields, token=None):
        """A unary call's answer."""
        raise NotImplementedError

    def upload(self, service, method, messages, token):
        """The answer to a stream of requests."""
        raise NotImplementedError

    def download(self, service, method, fields, token):
        """The messages of a stream of answers."""
        raise NotImplementedError

    def converse(self, service, method, messages, token):
        """The answers to messages of a stream in both directions, whose client's side ends with them."""
        raise NotImplementedError

    def close(self):
        pass


class GoogleMessages(StockClient):
    """Those whose messages are PyPI's protobuf."""

    def described(self, service, method):
        module = importlib.import_module(FILES[service] + "_pb2")
        return module.DESCRIPTOR.services_by_name[service].methods_by_name[method]

    def message(self, service, method, fields):
        kind = message_factory.GetMessageClass(self.described(service, method).input_type)
        return json_format.ParseDict(fields, kind())

    @staticmethod
    def fields(message):
        return json_format.MessageToDict(message)


class Grpcio(GoogleMessages):
    def __init__(self, suite):
        credentials = grpc.ssl_channel_credentials(pathlib.Path(suite.authority).read_bytes())
        self.channel = grpc.secure_channel(f"{suite.host}:{suite.port}", credentials)

    def method(self, service, method):
        module = importlib.import_module(FILES[service] + "_pb2_grpc")
        return getattr(getattr(module, service + "Stub")(self.channel), method)

    def attempt(self, act, token):
        try:
            return act({"metadata": [("authorization", f"Bearer {token}")] if token else [], "timeout": 30})
        except grpc.RpcError as error:
            raise self.refusal(error) from error

    @staticmethod
    def refusal(error):
        status = rpc_status.from_call(error)
        kind = error_details_pb2.ErrorInfo
        reasons = [kind.FromString(detail.value).reason for detail in status.details if detail.Is(kind.DESCRIPTOR)]
        return Refused(error.code().name, next(iter(reasons), None))

    def call(self, service, method, fields, token=None):
        request = self.message(service, method, fields)
        return self.fields(self.attempt(lambda options: self.method(service, method)(request, **options), token))

    def upload(self, service, method, messages, token):
        requests = [self.message(service, method, message) for message in messages]
        return self.fields(self.attempt(lambda options: self.method(service, method)(iter(requests), **options), token))

    def download(self, service, method, fields, token):
        request = self.message(service, method, fields)
        return self.attempt(
            lambda options: [self.fields(answer) for answer in self.method(service, method)(request, **options)], token
        )

    def converse(self, service, method, messages, token):
        requests = [self.message(service, method, message) for message in messages]
        return self.attempt(
            lambda options: [self.fields(answer) for answer in self.method(service, method)(iter(requests), **options)], token
        )

    def close(self):
        self.channel.close()


class Grpclib(GoogleMessages):
    def __init__(self, suite):
        self.loop = asyncio.new_event_loop()
        context = ssl.create_default_context(cafile=suite.authority)
        context.set_alpn_protocols(["h2"])
        self.channel = self.run(self.open(suite, context))

    @staticmethod
    async def open(suite, context):
        return grpclib.client.Channel(suite.host, suite.port, ssl=context)

    def run(self, work):
        try:
            return self.loop.run_until_complete(work)
        except grpclib.exceptions.GRPCError as error:
            reasons = [detail.reason for detail in error.details or [] if isinstance(detail, error_details_pb2.ErrorInfo)]
            raise Refused(error.status.name, next(iter(reasons), None)) from error

    def method(self, service, method):
        module = importlib.import_module(FILES[service] + "_grpc")
        return getattr(getattr(module, service + "Stub")(self.channel), method)

    @staticmethod
    def options(token):
        return {"metadata": {"authorization": f"Bearer {token}"} if token else {}, "timeout": 30}

    def call(self, service, method, fields, token=None):
        request = self.message(service, method, fields)
        return self.fields(self.run(self.method(service, method)(request, **self.options(token))))

    def upload(self, service, method, messages, token):
        requests = [self.message(service, method, message) for message in messages]
        return self.fields(self.run(self.method(service, method)(requests, **self.options(token))))

    def download(self, service, method, fields, token):
        request = self.message(service, method, fields)
        return [self.fields(answer) for answer in self.run(self.method(service, method)(request, **self.options(token)))]

    def converse(self, service, method, messages, token):
        requests = [self.message(service, method, message) for message in messages]
        return [self.fields(answer) for answer in self.run(self.method(service, method)(requests, **self.options(token)))]

    def close(self):
        self.channel.close()
        self.loop.close()


class WebChannel(sonora.client.WebChannel):
    """The library is older than the last argument with which the generator of today has a channel called."""

    def unary_unary(self, path, request_serializer, response_deserializer, _registered_method=False):
        return super().unary_unary(path, request_serializer, response_deserializer)

    def unary_stream(self, path, request_serializer, response_deserializer, _registered_method=False):
        return super().unary_stream(path, request_serializer, response_deserializer)

    def stream_unary(self, path, request_serializer, response_deserializer, _registered_method=False):
        return super().stream_unary(path, request_serializer, response_deserializer)

    def stream_stream(self, path, request_serializer, response_deserializer, _registered_method=False):
        return super().stream_stream(path, request_serializer, response_deserializer)


class Sonora(Grpcio):
    """gRPC-Web over HTTP/1.1; the library has no streams of requests, and does not tell details."""

    tells_details = False
    streams_requests = False

    def __init__(self, suite):
        # All that the library lets its users say of certificates.
        os.environ["SSL_CERT_FILE"] = str(suite.authority)
        self.channel = WebChannel(suite.url)

    @staticmethod
    def refusal(error):
        return Refused(error.code().name, None)

    def close(self):
        self.channel.__exit__(None, None, None)
        del os.environ["SSL_CERT_FILE"]


class Connectrpc(StockClient):
    def __init__(self, suite, protocol, codec):
        authority = pathlib.Path(suite.authority).read_bytes()
        self.http = pyqwest.SyncClient(pyqwest.SyncHTTPTransport(tls_ca_cert=authority))
        self.options = {"http_client": self.http, "protocol": protocol, "codec": codec, "timeout_ms": 30_000}
        self.url = suite.url

    def run(self, service, method, messages, token, collect):
        module = importlib.import_module(f"connect_stubs.{FILES[service]}_connect")
        client = getattr(module, service + "ClientSync")(self.url, **self.options)
        named = "".join("_" + letter.lower() if letter.isupper() else letter for letter in method)[1:]
        try:
            return collect(
                getattr(client, named), [self.message(module, method, message) for message in messages],
                {"authorization": f"Bearer {token}"} if token else {},
            )
        except ConnectError as error:
            reasons = [
                error_details_pb2.ErrorInfo.FromString(detail.message_bytes).reason
                for detail in error.details if detail.type_name == "google.rpc.ErrorInfo"
            ]
            raise Refused(error.code.name, next(iter(reasons), None)) from error

    @staticmethod
    def message(module, method, fields):
        names = [name for name in vars(module) if name == method + "Request"] or ["ConnectRequest"]
        return getattr(module, names[0]).from_json(json.dumps(fields))

    def call(self, service, method, fields, token=None):
        return self.run(
            service, method, [fields], token, lambda call, requests, headers: self.fields(call(requests[0], headers=headers))
        )

    def upload(self, service, method, messages, token):
        return self.run(
            service, method, messages, token, lambda call, requests, headers: self.fields(call(iter(requests), headers=headers))
        )

    def download(self, service, method, fields, token):
        return self.run(
            service, method, [fields], token,
            lambda call, requests, headers: [self.fields(answer) for answer in call(requests[0], headers=headers)],
        )

    def converse(self, service, method, messages, token):
        return self.run(
            service, method, messages, token,
            lambda call, requests, headers: [self.fields(answer) for answer in call(iter(requests), headers=headers)],
        )

    @staticmethod
    def fields(message):
        return json.loads(message.to_json())


class Curl(StockClient):
    """The shell of everybody: JSON, and pictures as files."""

    streams_requests = False

    def __init__(self, suite):
        self.suite = suite

    def call(self, service, method, fields, token=None):
        answer = self.suite.call(f"{FILES[service].rpartition('.')[0]}.{service}/{method}", fields, token=token)
        if answer.status == 200:
            return answer.json
        reasons = [detail["debug"]["reason"] for detail in answer.json["details"] if detail["type"] == "google.rpc.ErrorInfo"]
        raise Refused(answer.json["code"].upper(), next(iter(reasons), None))


CLIENTS = {
    "grpcio": Grpcio,
    "grpclib": Grpclib,
    "sonora": Sonora,
    "connectrpc": lambda suite: Connectrpc(suite, ProtocolType.CONNECT, proto_binary_codec()),
    "connectrpc in JSON": lambda suite: Connectrpc(suite, ProtocolType.CONNECT, proto_json_codec()),
    "connectrpc by gRPC": lambda suite: Connectrpc(suite, ProtocolType.GRPC, proto_binary_codec()),
    "connectrpc by gRPC-Web": lambda suite: Connectrpc(suite, ProtocolType.GRPC_WEB, proto_binary_codec()),
    "curl": Curl,
}
