"""An authenticator and its browser for tests: answers one line of JSON for each line of JSON.

A request is {"do": "create" | "get", "challenge", "rp_id", "origin", "algorithm", "device", "user_handle", ...}; bytes are hexadecimal.
Everything that is signed can be told otherwise: "type", "client_challenge", "cross_origin", "client_data" (whole), "hash_of" (relying
party), "flags", "count", "fmt", "att_stmt", "cose" (members of the key, by number), "trailing", "credential_id".
The "device" of an answer is what the authenticator has to be given back: its key and its credential's id.
"""
import hashlib
import json
import os
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from fido2 import cbor
from fido2.cose import ES256, EdDSA
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import AttestationObject, AuthenticatorData


def make_key(algorithm):
    return ed25519.Ed25519PrivateKey.generate() if algorithm == -8 else ec.generate_private_key(ec.SECP256R1())


def load_key(device):
    return serialization.load_pem_private_key(device["key"].encode(), None)


def cose(key):
    kind = EdDSA if isinstance(key, ed25519.Ed25519PrivateKey) else ES256
    return dict(kind.from_cryptography_key(key.public_key()))


def changed(members, request):
    """The members of a COSE key with some of them replaced; null removes one."""
    for name, value in request.get("cose", {}).items():
        number = int(name)
        if value is None:
            members.pop(number, None)
        else:
            members[number] = bytes.fromhex(value) if isinstance(value, str) else value
    return members


def client_data(request, ceremony):
    if "client_data" in request:
        return request["client_data"].encode()
    data = {
        "type": request.get("type", ceremony),
        "challenge": websafe_encode(bytes.fromhex(request.get("client_challenge", request["challenge"]))),
        "origin": request["origin"],
        "crossOrigin": request.get("cross_origin", False),
    }
    return json.dumps(data).encode()


def authenticator_data(request, flags, count, rest=b""):
    party = sha256(request.get("hash_of", request["rp_id"]).encode())
    flags = request.get("flags", flags)
    return party + bytes([flags]) + request.get("count", count).to_bytes(4, "big") + rest


def create(request):
    key = make_key(request["algorithm"])
    credential = bytes.fromhex(request["credential_id"]) if "credential_id" in request else os.urandom(32)
    attested = bytes(16) + len(credential).to_bytes(2, "big") + credential + cbor.encode(changed(cose(key), request))
    data = authenticator_data(request, 0x45, 0, attested + bytes.fromhex(request.get("trailing", "")))
    form = {"fmt": request.get("fmt", "none"), "attStmt": request.get("att_stmt", {}), "authData": data}
    attestation = cbor.encode(form)
    if not any(name in request for name in ("cose", "trailing", "flags", "credential_id", "fmt", "att_stmt")):
        # What Yubico's own encoder makes of the same is the same.
        assert bytes(AttestationObject.create("none", AuthenticatorData(data), {})) == attestation
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return {
        "device": {"key": pem.decode(), "credential_id": credential.hex()},
        "client_data": client_data(request, "webauthn.create").hex(),
        "attestation_object": attestation.hex(),
    }


def get(request):
    key = load_key(request["device"])
    client = client_data(request, "webauthn.get")
    data = authenticator_data(request, 0x05, 1, bytes.fromhex(request.get("trailing", "")))
    message = data + hashlib.sha256(client).digest()
    if isinstance(key, ed25519.Ed25519PrivateKey):
        signature = key.sign(message)
    else:
        signature = key.sign(message, ec.ECDSA(hashes.SHA256()))
    return {
        "client_data": client.hex(),
        "authenticator_data": data.hex(),
        "signature": signature.hex(),
    }


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"create": create, "get": get}[asked["do"]](asked)), flush=True)
