/** Sends a tracker's file as far as the server has room for it: the stream `Activities.ImportFile` over a WebSocket. */

import { CallError } from "../api.js";
import { tandem } from "../session.js";

const METHOD = "tandem.importer.v1.Activities/ImportFile";
const CHUNK = 65_536;
/** What may be sent before the server says more. */
const FIRST_LIMIT = 262_144;

function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/**
 * @param {File} file
 * @param {object} options `progress`, which is told 0 to 1, and `signal`
 * @returns {Promise<object>} the `FileImport`
 */
export async function importFile(file, { progress = () => {}, signal } = {}) {
  const socket = await tandem.connect(METHOD, { signal });
  await socket.opened.catch(() => { throw new CallError({ code: "unavailable", message: "The connection was lost" }); });
  let limit = FIRST_LIMIT;
  let wake = () => {};
  let isOver = false;
  const sending = (async () => {
    let sent = 0;
    let head = { onFault: "ON_FAULT_KEEP", timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    do {
      while (sent >= limit && !isOver) await new Promise((resume) => (wake = resume));
      if (isOver) return;
      const end = Math.min(sent + CHUNK, limit, file.size);
      socket.send({ ...head, chunk: base64(await file.slice(sent, end).arrayBuffer()) });
      head = {};
      sent = end;
      progress(file.size ? sent / file.size : 1);
    } while (sent < file.size);
    socket.end();
  })();
  try {
    for await (const { byteLimit, result } of socket) {
      if (result) return result;
      if (byteLimit) limit = Number(byteLimit);
      wake();
    }
    throw new CallError({ code: "unavailable", message: "The connection was lost" });
  } finally {
    isOver = true;
    wake();
    sending.catch(() => {});
    socket.close();
  }
}
