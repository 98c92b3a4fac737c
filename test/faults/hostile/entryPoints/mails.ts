import { connect } from "node:net";
import fc from "fast-check";
import type { EntryPoint, EntryPointPorts } from "./entryPoint.ts";
import { hostileText } from "./hostileText.ts";

const KIB = 1024;
/** Parts of a mail in one another. */
const DEPTH_MAX = 2_000;
const PARTS_MAX = 5_000;

const files = hostileText({
  bytesMax: 512 * KIB,
  units: ["QUJD", "QUJD\r\n", "=", "\0", "=41", "begin 644 a\r\n", "%PDF-1.7\r\n", "PK\x03\x04"],
});
const encodings = ["base64", "quoted-printable", "8bit", "x-uuencode", "binary"] as const;
const types = [
  "application/pdf",
  "text/plain; charset=utf-7",
  "message/rfc822",
  "text/html; charset=\0",
  "a/b; name*0*=a",
];

const oneFile = fc
  .record({ encoding: fc.constantFrom(...encodings), type: fc.constantFrom(...types), file: files })
  .map(({ encoding, type, file }) =>
    multipart([`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}`, file]),
  );
const manyFiles = fc
  .record({ count: fc.integer({ min: 1, max: PARTS_MAX }), type: fc.constantFrom(...types) })
  .map(({ count, type }) => {
    const part = `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="a"\r\n\r\nabc\r\n`;
    return `${head}${part.repeat(count)}--b--\r\n`;
  });
const nestedParts = fc.integer({ min: 1, max: DEPTH_MAX }).map((depth) => {
  const open = Array.from(
    { length: depth },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  );
  return `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${open.join("")}`;
});
const nestedMails = fc
  .integer({ min: 1, max: DEPTH_MAX })
  .map((depth) => `${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}Subject: end\r\n\r\nend`);
const longNames = hostileText({ bytesMax: 128 * KIB, units: ["a", "%41", "=?utf-8?b?QQ==?= ", '\\"', ";a=b"] }).map(
  (name) =>
    multipart([
      `Content-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename*=utf-8''${name}`,
      "abc",
    ]),
);

/** Mails whose files, parts and names are at and past the bounds. */
export const attachedMails: fc.Arbitrary<string> = fc.oneof(oneFile, manyFiles, nestedParts, nestedMails, longNames);

const head = "MIME-Version: 1.0\r\nSubject: files\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";

function multipart([partHead, body]: readonly [string, string]): string {
  return `${head}--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\n${partHead}\r\n\r\n${body}\r\n--b--\r\n`;
}

const COMMANDS_MS = 5_000;
const commands = hostileText({
  bytesMax: 256 * KIB,
  units: [
    "EHLO a\r\n",
    "MAIL FROM:<a@example.org>\r\n",
    "RCPT TO:<",
    "RCPT TO:<a@example.org> A=b\r\n",
    "DATA\r\n",
    ".\r\n",
    "NOOP\r\n",
    "RSET\r\n",
    "<",
    "@",
    "+",
    "\0",
    "\n",
  ],
  pairs: [["<", ">"]],
});

/** Commands of a stranger to the listener for incoming mail. Resolves to 250 when it said anything. */
export function commandEntryPoint({ apps }: EntryPointPorts): EntryPoint {
  return {
    name: "commands to the mail listener",
    texts: commands,
    attack: (text) =>
      new Promise((resolve) => {
        let said = 0;
        const socket = connect({ port: apps.mailPort, host: "127.0.0.1" });
        socket.setTimeout(COMMANDS_MS, () => socket.destroy());
        socket.on("data", () => {
          if (said === 0) socket.end(Buffer.from(text, "latin1"));
          said = 250;
        });
        socket.on("error", () => socket.destroy());
        socket.on("close", () => resolve(said));
      }),
  };
}
