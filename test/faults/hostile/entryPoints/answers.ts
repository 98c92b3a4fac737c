import fc from "fast-check";
import { z } from "zod";
import { authorizationOf, type EntryPoint, type EntryPointPorts, statusOf, uploadOf } from "./entryPoint.ts";
import { type HostileServer, hostileAnswers, startHostileServer } from "./hostileServer.ts";
import { hostileText } from "./hostileText.ts";
import { mailboxEntryPoint } from "./mailboxes.ts";

const KIB = 1024;
const MIB = KIB * KIB;

/** An honest dialogue of a mail server, up to the end of a mail. */
const SMTP_DIALOGUE = [
  "220 mail.example.com ESMTP\r\n",
  "250-mail.example.com\r\n250 SIZE 52428800\r\n",
  "250 2.1.0 ok\r\n",
  "250 2.1.5 ok\r\n",
  "354 go on\r\n",
  "250 2.0.0 ok\r\n",
];
const smtpTexts = hostileText({
  bytesMax: 2 * MIB,
  units: ["2", "250-", "250-a\r\n", "250 ok\r\n", "\r\n", "\0", "550 5.1.1 ", "421 later\r\n", "354 go\r\n", "é"],
});

/** An HTTP client speaks first: the server has nothing to say when a connection opens. */
const HTTP_DIALOGUE = [""];
const statusLines = [
  "200 OK",
  "204 No Content",
  "206 Partial Content",
  "400 Bad",
  "404 Not Found",
  "429 Slow",
  "503 Away",
];
const headersOf = hostileText({
  bytesMax: MIB,
  units: ["X: y\r\n", "a", "Set-Cookie: a=b\r\n", "Content-Type: text/csv;", 'ETag: "', ": \r\n", "\r\n ", "\0"],
});
const bodies = hostileText({
  bytesMax: MIB,
  units: [
    "<Contents><Key>a</Key></Contents>",
    "<!ENTITY a '&b;'>",
    "&a;",
    "<",
    '{"a":',
    "[",
    "email\na@b.c\n",
    "\x1f\x8b\b",
  ],
  pairs: [
    ["<a>", "</a>"],
    ["[", "]"],
    ['{"a":', "}"],
  ],
});
const lengths = fc.constantFrom(
  "",
  "Content-Length: 999999999999\r\n",
  "Content-Length: -1\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Content-Encoding: gzip\r\n",
  "Content-Range: bytes 0-1/999999999999\r\n",
  "Connection: keep-alive\r\n",
);
const httpTexts = fc.oneof(
  fc
    .record({ status: fc.constantFrom(...statusLines), length: lengths, headers: headersOf, body: bodies })
    .map(({ status, length, headers, body }) => `HTTP/1.1 ${status}\r\n${length}${headers}\r\n\r\n${body}`),
  fc
    .record({ status: fc.constantFrom(...statusLines), length: lengths, body: bodies })
    .map(({ status, length, body }) => `HTTP/1.1 ${status}\r\n${length}\r\n${body}`),
  hostileText({ bytesMax: MIB, units: ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 ", "\r\n", "ffffffff\r\n", "0"] }),
  fc.constant("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"),
);

const httpAnswers = hostileAnswers({ from: 1, to: 1 }, httpTexts);

/** SSH begins with a line of each side. */
const SSH_DIALOGUE = ["SSH-2.0-hostile\r\n"];
const sshTexts = hostileText({
  bytesMax: MIB,
  units: ["SSH-2.0-", "a\r\n", "\0\0\0\x0c\x0a\x14", "\xff\xff\xff\xff", "\0", "SSH-2.0-a\r\n"],
});

/** Entry points of servers that an account names: what they answer is foreign content. */
export async function answerEntryPoints(ports: EntryPointPorts): Promise<readonly EntryPoint[]> {
  await bodyOf(ports, "PUT", "/v2/account", { webhookSecret: "hostile-secret" });
  return [
    await mailServerEntryPoint(ports),
    await transportEntryPoint(ports),
    await storageEntryPoint(ports, "answers of storages over HTTP", httpSource),
    await storageEntryPoint(ports, "answers of S3", s3Source),
    await storageEntryPoint(ports, "answers of Azure Blob Storage", azureSource),
    await webhookEntryPoint(ports),
    await sftpEntryPoint(ports),
    mailboxEntryPoint(ports.mailbox),
  ];
}

const created = z.object({ id: z.string() });

/** Mails to a server that answers one step as it likes, and checks of its transport. */
async function mailServerEntryPoint(ports: EntryPointPorts): Promise<EntryPoint> {
  const server = await startHostileServer(SMTP_DIALOGUE);
  const settings = { host: "127.0.0.1", port: server.port, tls: "none", connections: 2, answerTimeoutSeconds: 5 };
  const send = await sendsBy(ports, { key: "hostile-smtp", type: "smtp", settings });
  return sending(
    "answers of a mail server",
    server,
    send,
    hostileAnswers({ from: 0, to: SMTP_DIALOGUE.length - 1 }, smtpTexts),
  );
}

/** Mails to an HTTP service that answers as it likes. */
async function transportEntryPoint(ports: EntryPointPorts): Promise<EntryPoint> {
  const server = await startHostileServer(HTTP_DIALOGUE);
  const url = `http://127.0.0.1:${server.port}/send`;
  const settings = { url, answerTimeoutSeconds: 5, accepted: { idPath: "messages.0.id" } };
  const send = await sendsBy(ports, { key: "hostile-http", type: "http", settings });
  return sending("answers of an HTTP transport", server, send, httpAnswers);
}

function sending(
  name: string,
  server: HostileServer,
  send: () => Promise<number>,
  texts: fc.Arbitrary<string>,
): EntryPoint {
  return {
    name,
    texts,
    attack(answer) {
      server.answerWith(answer);
      return send();
    },
    reached: server.answered,
    end: () => server.stop(),
  };
}

interface HostileTransport {
  readonly key: string;
  readonly type: "smtp" | "http";
  readonly settings: object;
}

/** Creates a transport with a template for it. @returns what sends one mail, and checks the transport every tenth time. */
async function sendsBy(
  ports: EntryPointPorts,
  { key, type, settings }: HostileTransport,
): Promise<() => Promise<number>> {
  const { id } = created.parse(
    await bodyOf(ports, "POST", "/v2/transports", { name: key, channel: "email", type, settings }),
  );
  const headers = { subject: "Hi", fromEmail: "shop@example.com", fromDesc: "Shop" };
  await bodyOf(ports, "POST", "/v2/automationtemplates", {
    ...{ key, name: key, channel: "email", baseAggregation: "daily", classification: "transactional", transportID: id },
    message: { headers, content: { "text/html": "<p>Hi</p>" } },
  });
  let sent = 0;
  return () => {
    sent += 1;
    if (sent % CHECKED_EVERY === 0) return callOf(ports, "PUT", `/v2/transports/${id}/check`, {});
    return callOf(ports, "POST", `/v2/automationtemplates/${key}/send`, {
      to: { email: `${key}-${sent}@example.org` },
    });
  };
}

const CHECKED_EVERY = 10;

type SourceOf = (port: number) => object;
const httpSource: SourceOf = (port) => ({ transport: "http", url: `http://127.0.0.1:${port}/people.csv` });
const s3Source: SourceOf = (port) => ({
  ...{ transport: "s3", aws_bucket: "bucket", aws_path: "people.csv", aws_endpoint: `http://127.0.0.1:${port}` },
  ...{ aws_region: "us-east-1", aws_access_key_id: "key", aws_secret_access_key: "secret" },
});
const azureSource: SourceOf = (port) => ({
  ...{ transport: "azureblob", account: "account", container: "container", path: "people.csv" },
  ...{ endpoint: `http://127.0.0.1:${port}/account`, sasToken: "sv=2024-08-04&sig=c2ln" },
});
const sftpSource: SourceOf = (port) => ({
  ...{ transport: "sftp", server: "127.0.0.1", port, username: "u", password: "p", path: "/people.csv" },
});

/** Imports from a server that answers as it likes. */
async function storageEntryPoint(ports: EntryPointPorts, name: string, sourceOf: SourceOf): Promise<EntryPoint> {
  const server = await startHostileServer(HTTP_DIALOGUE);
  return importing(ports, { name, server, source: sourceOf(server.port), texts: httpAnswers });
}

/** Imports that end well, and notify a server that answers as it likes. */
async function webhookEntryPoint(ports: EntryPointPorts): Promise<EntryPoint> {
  const server = await startHostileServer(HTTP_DIALOGUE);
  return {
    name: "answers to webhooks",
    texts: httpAnswers,
    async attack(answer) {
      server.answerWith(answer);
      const path = await uploadOf(ports, "people.csv", Buffer.from("email\nann@example.com\n"));
      if (typeof path === "number") return path;
      const jobStatusWebhookUrl = `http://127.0.0.1:${server.port}/notice`;
      const source = { transport: "file", path };
      return callOf(ports, "POST", "/v2/contactimports", { source, hasHeader: true, jobStatusWebhookUrl });
    },
    reached: server.answered,
    end: () => server.stop(),
  };
}

async function sftpEntryPoint(ports: EntryPointPorts): Promise<EntryPoint> {
  const server = await startHostileServer(SSH_DIALOGUE);
  const texts = hostileAnswers({ from: 0, to: 1 }, sshTexts);
  return importing(ports, { name: "answers of SFTP", server, source: sftpSource(server.port), texts });
}

interface Importing {
  readonly name: string;
  readonly server: HostileServer;
  readonly source: object;
  readonly texts: fc.Arbitrary<string>;
}

function importing(ports: EntryPointPorts, { name, server, source, texts }: Importing): EntryPoint {
  return {
    name,
    texts,
    attack(answer) {
      server.answerWith(answer);
      const jobStatusWebhookUrl = `http://127.0.0.1:${server.port}/notice`;
      return callOf(ports, "POST", "/v2/contactimports", { source, jobStatusWebhookUrl });
    },
    reached: server.answered,
    end: () => server.stop(),
  };
}

function initOf(ports: EntryPointPorts, method: string, body: object): RequestInit {
  const authorization = authorizationOf(ports);
  return { method, headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) };
}

function callOf(ports: EntryPointPorts, method: string, path: string, body: object): Promise<number> {
  return statusOf(`http://127.0.0.1:${ports.apps.servicePort}${path}`, initOf(ports, method, body));
}

/** @throws Error when the call is refused: the entry point could not be built. */
async function bodyOf(ports: EntryPointPorts, method: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${ports.apps.servicePort}${path}`, initOf(ports, method, body));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
