"""What people do, from registering to a book that is lent, by the clients that others made, unchanged."""

import base64
import datetime
import random
import time

import grpc
import pytest
import stock_clients
from conftest import mailed_token
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from google.protobuf.descriptor_pool import DescriptorPool
from stock_clients import CLIENTS, Refused
from test_pictures import bearer, png

ISBN = "9780441172719"
PASSWORD = "Analytical-engine-1843"


@pytest.fixture(scope="module", autouse=True)
def stubs(tmp_path_factory):
    stock_clients.generate(tmp_path_factory.mktemp("stubs"))


@pytest.fixture(params=CLIENTS)
def client(suite, request):
    made = CLIENTS[request.param](suite)
    yield made
    made.close()


def code(wanted, reason, client, *call):
    with pytest.raises(Refused) as refused:
        client.call(*call)
    assert refused.value.code == wanted
    if client.tells_details:
        assert refused.value.reason == reason


def registered(suite, client):
    """A new user, logged in with a session that was refreshed."""
    name = f"stock_{random.randrange(10**9)}"
    login = {"emailOrUsername": name, "password": PASSWORD}
    made = client.call("Accounts", "Register", {"email": f"{name}@example.org", "username": name, "password": PASSWORD})
    code("FAILED_PRECONDITION", "EMAIL_NOT_VERIFIED", client, "Accounts", "Login", login)
    token = mailed_token(suite, f"{name}@example.org")
    client.call("Accounts", "VerifyEmail", {"token": token, "registrationSecret": made["registrationSecret"]})
    code("UNAUTHENTICATED", "TOKEN_MISSING", client, "Accounts", "GetOwnAccount", {})
    session = client.call("Accounts", "Login", login)
    refreshed = client.call("Accounts", "Refresh", {"refreshToken": session["refreshToken"]})
    return name, refreshed["accessToken"]


def put_picture(suite, client, file, token):
    if client.streams_requests:
        picture = file.read_bytes()
        pieces = [picture[start : start + 65_536] for start in range(0, len(picture), 65_536)]
        chunks = [{"chunk": base64.b64encode(piece).decode()} for piece in pieces]
        assert len(chunks) > 1
        return client.upload("Profiles", "UploadProfilePicture", chunks, token)
    put = suite.curl(
        "/pictures/profile", "-X", "PUT", "--data-binary", f"@{file}", "-H", "content-type: image/png", *bearer({"token": token})
    )
    assert put.status == 200, put
    return put.json


def read_picture(suite, client, name, token):
    if type(client) is stock_clients.Curl:
        return suite.curl(f"/pictures/profile/{name}", *bearer({"token": token})).body
    messages = client.download("Profiles", "DownloadProfilePicture", {"username": name}, token)
    assert messages[0]["picture"]["renditions"]
    return b"".join(base64.b64decode(message["chunk"]) for message in messages[1:])


def lent(client, token, borrower):
    """A book of the caller that goes to the borrower and comes back."""
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": ISBN, "year": 1965, "language": "en"}
    added = client.call("Books", "AddBook", {"book": book, "titleConfirmed": True}, token)
    code("FAILED_PRECONDITION", "OWN_BOOK", client, "Loans", "RequestBook", {"bookId": added["bookId"]}, token)
    loan = client.call("Loans", "RequestBook", {"bookId": added["bookId"]}, borrower)
    assert loan["state"] == "LOAN_STATE_PENDING"
    due = datetime.date.today() + datetime.timedelta(days=30)
    accepted = client.call(
        "Loans", "AcceptRequest",
        {
            "loanId": loan["loanId"], "pickup": {"point": {"latitude": 1.3, "longitude": 103.8}},
            "dueDate": {"year": due.year, "month": due.month, "day": due.day}, "timeZone": "UTC",
        },
        token,
    )
    assert accepted["state"] == "LOAN_STATE_ACCEPTED"
    for step, state in (("ConfirmHandover", "LOAN_STATE_BORROWED"), ("ConfirmReturn", "LOAN_STATE_RETURNED")):
        client.call("Loans", step, {"loanId": loan["loanId"], "isbn": ISBN}, token)
        assert client.call("Loans", step, {"loanId": loan["loanId"], "isbn": ISBN}, borrower)["state"] == state


def test_from_registering_to_a_lent_book(suite, user, client, tmp_path):
    """[GATE-7]"""
    name, token = registered(suite, client)
    profile = {"gender": "GENDER_FEMALE", "dateOfBirth": {"year": 1990, "month": 12, "day": 10}, "level": "LEVEL_NOVICE"}
    client.call("Profiles", "CreateProfile", {"profile": {**profile, "timeZone": "Europe/London"}}, token)
    code("ALREADY_EXISTS", "GYM_PROFILE_EXISTS", client, "Profiles", "CreateProfile", {"profile": profile}, token)
    changed = client.call(
        "Profiles", "UpdateProfile", {"profile": {"level": "LEVEL_EXPERT"}, "updateMask": "level"}, token
    )
    assert (changed["level"], changed["timeZone"]) == ("LEVEL_EXPERT", "Europe/London")

    file = tmp_path / "picture.png"
    file.write_bytes(png(7))
    put_picture(suite, client, file, token)
    picture = read_picture(suite, client, name, token)
    assert picture.startswith(b"\x89PNG") and len(picture) > 100_000

    lent(client, token, user["token"])


@pytest.mark.parametrize("name", ["grpcio", "grpclib", "connectrpc", "connectrpc in JSON", "connectrpc by gRPC", "connectrpc by gRPC-Web"])
def test_a_stream_in_both_directions(suite, user, name):
    client = CLIENTS[name](suite)
    nowhere = "01900000-0000-7000-8000-000000000000"
    messages = [{"tag": tag, "open": {"conversationId": nowhere}} for tag in ("a", "b")]
    answers = client.converse("Chat", "Connect", messages, user["token"])
    assert [(answer["tag"], answer["refusal"]["reason"]) for answer in answers] == [
        ("a", "CONVERSATION_NOT_FOUND"), ("b", "CONVERSATION_NOT_FOUND")
    ]
    client.close()


def test_grpcios_health(suite):
    client = CLIENTS["grpcio"](suite)
    health = health_pb2_grpc.HealthStub(client.channel)
    for service in ("", "tandem.lending.v1.Loans"):
        assert health.Check(health_pb2.HealthCheckRequest(service=service)).status == health_pb2.HealthCheckResponse.SERVING
    watch = health.Watch(health_pb2.HealthCheckRequest(service="tandem.chat.v1.Chat"))
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    watch.cancel()
    with pytest.raises(grpc.RpcError) as refused:
        health.Check(health_pb2.HealthCheckRequest(service="tandem.none.v1.None"))
    assert refused.value.code() == grpc.StatusCode.NOT_FOUND
    client.close()


def test_grpcios_reflection(suite):
    client = CLIENTS["grpcio"](suite)
    database = ProtoReflectionDescriptorDatabase(client.channel)
    services = database.get_services()
    assert {"tandem.identity.v1.Accounts", "tandem.chat.v1.Chat", "grpc.health.v1.Health"} <= set(services)
    assert not [service for service in services if service.startswith("tandem.events")]
    pool = DescriptorPool(database)
    request = pool.FindMethodByName("tandem.lending.v1.Loans.AcceptRequest").input_type
    assert [field.name for field in request.fields][:2] == ["loan_id", "pickup"]
    assert pool.FindMethodByName("tandem.tracking.v1.Locations.Watch").client_streaming
    client.close()


def test_a_deadline_of_grpcio_ends_its_stream(suite, user):
    client = CLIENTS["grpcio"](suite)
    began = time.monotonic()
    watch = health_pb2_grpc.HealthStub(client.channel).Watch(health_pb2.HealthCheckRequest(), timeout=0.3)
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.RpcError) as refused:
        next(watch)
    assert refused.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED and time.monotonic() - began < 5
    client.close()
