import { type Called, type CallOptions, type Running, startService } from "../../service/running.ts";
import { seedContacts } from "../../service/seed.ts";

/** Stats of a message or template that was never sent. */
export const NOTHING_SENT = {
  ...{ sent: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, optouts: 0, complaints: 0, revenue: 0 },
};

export const CID = "65f0c0ffee65f0c0ffee0001";
export const ROOT = "/v2/automationtemplates";
export const HEADERS = { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop" };

/** Returns the message of an email. */
export const email = (html: string, headers: object = {}) => ({
  headers: { ...HEADERS, ...headers },
  content: { "text/html": html },
});

/** Returns a body that creates a template. */
export const template = (name: string, message: object = email(`<p>${name}</p>`), more: object = {}) => ({
  ...{ key: name, name, channel: "email", baseAggregation: "daily", message, ...more },
});

/** Returns status, code and details of a refusal, with the paths of mistakes. */
export const problems = ({ status, body }: Called) => [
  status,
  body.code,
  ...body.details.map(
    ({ path, code, line, column }: Record<string, string>) =>
      `${path} ${code}${line === undefined ? "" : ` ${line}:${column}`}`,
  ),
];

export interface TemplateWorld {
  readonly service: Running;
  readonly otherKey: string;
  call(
    method: CallOptions["method"] & string,
    url: string,
    body?: unknown,
    as?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Called>;
  make(name: string, message?: object, more?: object): Promise<Called>;
  include(name: string, content: string): Promise<Called>;
  /** Renders for the contact: HTML, or status and code. */
  htmlOf(name: string, which?: string): Promise<string>;
}

/** An account with one contact, and another one. */
export async function templateWorld(): Promise<TemplateWorld> {
  const service = await startService();
  const mine = await service.account({ timezone: "Europe/Berlin", currency: "EUR" });
  const key = await service.key(mine.account, { scopes: ["read", "write", "admin"] });
  const otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
  await seedContacts(service.postgres, mine.account, [
    { number: 1_000, cid: CID, identifiers: { email: "ada@example.com" } },
  ]);
  const call: TemplateWorld["call"] = (method, url, body, as = key, headers = {}) =>
    service.call(as, url, { method, headers, ...(body !== undefined && { body }) });
  return {
    service,
    otherKey,
    call,
    make: (name, message, more) => call("POST", ROOT, template(name, message, more)),
    include: (name, content) => call("POST", "/v2/includes", { key: name, content }),
    htmlOf: async (name, which = "renderpublished") => {
      const { status, body } = await call("GET", `${ROOT}/${name}/${which}/${CID}`);
      return status === 200 ? body.content["text/html"] : `${status} ${body.code}`;
    },
  };
}
