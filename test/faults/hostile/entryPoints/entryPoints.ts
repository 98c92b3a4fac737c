import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import fc from "fast-check";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { createHostileCalls } from "../shapes.ts";
import { answerEntryPoints } from "./answers.ts";
import { ANSWER_MS, authorizationOf, type EntryPoint, type EntryPointPorts, statusOf, uploadOf } from "./entryPoint.ts";
import { hostileText, type TextShape } from "./hostileText.ts";
import { attachedMails, commandEntryPoint } from "./mails.ts";
import { webEntryPoint } from "./webPages.ts";

const KIB = 1024;
const MIB = KIB * KIB;
const PEOPLE = 12;

const markup: TextShape = {
  bytesMax: 512 * KIB,
  units: ["<a href=", "<i></i><b></b>", "&#x26;", "<!--", "<", "{{ a | upcase }}", "{{", "{% if a %}", "x"],
  pairs: [
    ["<div>", "</div>"],
    ["{% if a %}", "{% endif %}"],
    ["<table><tr><td>", "</td></tr></table>"],
  ],
};
const doubling = fc
  .integer({ min: 1, max: 30 })
  .map((times) => `${"{% capture a %}{{ a }}{{ a }}x{% endcapture %}".repeat(times)}{{ a | url_encode }}`);
const styles = fc
  .integer({ min: 1, max: 20_000 })
  .map((count) => `<style>i ~ b { color: red }</style>${"<i></i><b></b>".repeat(count)}`);
const mjml = hostileText({
  bytesMax: 256 * KIB,
  units: ['<mj-image src="a" />', "<mj-text>a</mj-text>", "<mj-", "a"],
  pairs: [["<mj-section>", "</mj-section>"]],
}).map((text) => `<mjml><mj-body>${text}</mj-body></mjml>`);

/** Returns the entry points of an installation, all of them for one hostile account. */
export async function entryPointsOf(ports: EntryPointPorts): Promise<readonly EntryPoint[]> {
  return [
    intakeEntryPoint(ports),
    criteriaEntryPoint(ports),
    templateEntryPoint(ports, "text/html", fc.oneof(hostileText(markup), doubling, styles)),
    templateEntryPoint(ports, "text/mjml", mjml),
    importEntryPoint(
      ports,
      "csv",
      hostileText({ bytesMax: MIB, units: ["email\n", '"', ",", "a@b.c\n", "\r", "\0", "é"] }),
    ),
    importEntryPoint(
      ports,
      "jsonl",
      hostileText({
        bytesMax: MIB,
        units: ['{"a":1}\n', "[", '{"a":', '"', "\n"],
        pairs: [
          ['{"a":', "}"],
          ["[", "]"],
        ],
      }),
    ),
    importEntryPoint(
      ports,
      "parquet",
      hostileText({ bytesMax: 64 * KIB, units: ["PAR1", "\x15\xfc", "\x19\x1c", "\xff\xff\xff\x7f"] }).map(
        (text) => `PAR1${text}\x10\0\0\0PAR1`,
      ),
    ),
    mailEntryPoint(ports, "incoming mail", reports),
    mailEntryPoint(ports, "incoming mail with attachments", attachedMails),
    commandEntryPoint(ports),
    await providerEntryPoint(ports),
    webEntryPoint(ports),
    ...(await answerEntryPoints(ports)),
  ];
}

const transportCreated = z.object({ eventsUrl: z.string() });

function callsOf({ apps, apiKey }: EntryPointPorts) {
  const authorization = authorizationOf({ apiKey });
  return {
    json: (path: string, body: object) =>
      statusOf(`http://127.0.0.1:${apps.servicePort}${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    authorization,
  };
}

function intakeEntryPoint({ apps, apiKey, random }: EntryPointPorts): EntryPoint {
  const next = createHostileCalls(random.fork("intake"), PEOPLE);
  return {
    name: "intake",
    texts: fc.constant(""),
    attack() {
      const { path, body } = next();
      const headers = { "x-api-key": apiKey, "content-type": "application/json" };
      return statusOf(`http://127.0.0.1:${apps.ingressPort}${path}`, { method: "POST", headers, body });
    },
  };
}

function criteriaEntryPoint(ports: EntryPointPorts): EntryPoint {
  const { authorization } = callsOf(ports);
  const leaf = '{"field":"attributes.a","op":"equals","value":"x"}';
  return {
    name: "criteria",
    texts: hostileText({
      bytesMax: 256 * KIB,
      units: [`${leaf},`, "[", '"'],
      pairs: [
        ['{"and":[', "]}"],
        ['{"not":', "}"],
      ],
    }).map((text) => (text.startsWith('{"and"') || text.startsWith('{"not"') ? text : `{"or":[${text}${leaf}]}`)),
    attack: (body) =>
      statusOf(`http://127.0.0.1:${ports.apps.servicePort}/v2/audiencecount`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
      }),
  };
}

function templateEntryPoint(ports: EntryPointPorts, mediaType: string, texts: fc.Arbitrary<string>): EntryPoint {
  const { json } = callsOf(ports);
  let created = 0;
  return {
    name: `template ${mediaType}`,
    texts,
    attack(text) {
      created += 1;
      const key = `${mediaType.replace("/", "-")}-${created}`;
      const headers = { subject: "Hi {{ name }}", fromEmail: "shop@example.com", fromDesc: "Shop" };
      const message = { headers, content: { [mediaType]: text } };
      return json("/v2/automationtemplates", { key, name: key, channel: "email", baseAggregation: "daily", message });
    },
  };
}

function importEntryPoint(ports: EntryPointPorts, format: string, texts: fc.Arbitrary<string>): EntryPoint {
  const { json } = callsOf(ports);
  return {
    name: `import ${format}`,
    texts,
    async attack(text) {
      const path = await uploadOf(ports, `x.${format}`, Buffer.from(text, "latin1"));
      if (typeof path === "number") return path;
      const source = { transport: "file", path };
      return json("/v2/contactimports", { source, ...(format === "csv" && { hasHeader: true }) });
    },
  };
}

const reportHeads = [
  "Content-Type: text/html\r\n\r\n",
  "\r\ncould not be delivered\r\n",
  'Content-Type: multipart/report; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n',
  "X: ",
] as const;
const reportBody = hostileText({
  bytesMax: 256 * KIB,
  units: ["<a href=", "-", "--b\r\n", "=?utf-8?q?=", "a:", "\r\n ", "Action: failed\r\n\r\n", "<", "a@"],
  pairs: [["(", ")"]],
});
const reports = fc
  .record({ start: fc.constantFrom(...reportHeads), body: reportBody })
  .map(({ start, body }) => `MIME-Version: 1.0\r\nSubject: failure notice\r\n${start}${body}`);

/** Mails with a token of the account, as every recipient has one. */
function mailEntryPoint(
  { apps, account, settingsKey }: EntryPointPorts,
  name: string,
  texts: fc.Arbitrary<string>,
): EntryPoint {
  const tokens = createTrackingTokens([settingsKey]);
  const send = { type: "b", account: account.number, contact: 1, n: 1, message: "65f0c0ffee65f0c0ffee00aa" } as const;
  const to = `bounce+${tokens.seal({ kind: "return", ...send })}@mail.example.org`;
  return {
    name,
    texts,
    async attack(raw) {
      const transport = createTransport({
        host: "127.0.0.1",
        port: apps.mailPort,
        ignoreTLS: true,
        socketTimeout: ANSWER_MS,
      });
      try {
        await transport.sendMail({ envelope: { from: "eve@example.org", to }, raw });
        return 250;
      } catch (error) {
        const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
        return typeof code === "number" ? code : 0;
      } finally {
        transport.close();
      }
    },
  };
}

async function providerEntryPoint({ apps, apiKey }: EntryPointPorts): Promise<EntryPoint> {
  const authorization = authorizationOf({ apiKey });
  const events = { list: "events[?contains(event, 'x')]", map: { type: "event", mcID: "mcID" } };
  const answer = await fetch(`http://127.0.0.1:${apps.servicePort}/v2/transports`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ name: "hostile", channel: "sms", type: "http" },
      settings: { url: "https://sms.example.com", events },
    }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { eventsUrl } = transportCreated.parse(await answer.json());
  return {
    name: "provider events",
    texts: hostileText({
      bytesMax: 512 * KIB,
      units: ['{"event":"bounce","mcID":"x"},', "[", '"', "1,"],
      pairs: [
        ["[", "]"],
        ['{"events":', "}"],
      ],
    }).map((text) => (text.startsWith("{") && text.endsWith(",") ? `{"events":[${text.slice(0, -1)}]}` : text)),
    attack: (body) => statusOf(eventsUrl, { method: "POST", headers: { "content-type": "application/json" }, body }),
  };
}
