import { deviceLabel, tandem } from "../session.js";

const PASSKEYS = "tandem.identity.v1.Passkeys";

/** A host is known by its name: for an address there are none. */
export const canUsePasskeys = () => Boolean(globalThis.PublicKeyCredential) && !/^[\d.]+$|:/.test(location.hostname);

const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));

/** What the browser says instead of an error of ours. */
function declined(error) {
  return Object.assign(new Error(error.message), { code: "cancelled", reason: "PASSKEY_DECLINED" });
}

/** Logs in with a passkey of this device. */
export async function logInByPasskey() {
  const started = await tandem.act(`${PASSKEYS}/StartPasskeyLogin`);
  const publicKey = { challenge: bytes(started.challenge), rpId: started.relyingPartyId, userVerification: "required" };
  const { rawId, response } = await navigator.credentials.get({ publicKey }).catch((error) => { throw declined(error); });
  await tandem.logInByPasskey({
    credentialId: text(rawId), clientDataJson: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData),
    signature: text(response.signature), userHandle: text(response.userHandle), deviceLabel: deviceLabel(),
  });
}

/** Makes a passkey on this device; returns the `Passkey`. */
export async function addPasskey(name) {
  const started = await tandem.act(`${PASSKEYS}/StartPasskeyRegistration`);
  const publicKey = {
    challenge: bytes(started.challenge),
    rp: { id: started.relyingPartyId, name: started.relyingPartyName },
    user: { id: bytes(started.userHandle), name: started.username, displayName: started.username },
    pubKeyCredParams: started.algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: (started.excludeCredentialIds ?? []).map((id) => ({ type: "public-key", id: bytes(id) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  };
  const { response } = await navigator.credentials.create({ publicKey }).catch((error) => { throw declined(error); });
  return tandem.act(`${PASSKEYS}/RegisterPasskey`, {
    name, clientDataJson: text(response.clientDataJSON), attestationObject: text(response.attestationObject),
  });
}
