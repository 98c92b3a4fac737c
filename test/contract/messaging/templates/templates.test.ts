import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Called } from "../../service/running.ts";
import {
  CID,
  email,
  NOTHING_SENT,
  problems,
  ROOT,
  type TemplateWorld,
  template,
  templateWorld,
} from "./templateWorld.ts";

let world: TemplateWorld;
const call = (...input: Parameters<TemplateWorld["call"]>) => world.call(...input);
const make = (...provided: Parameters<TemplateWorld["make"]>) => world.make(...provided);
const include = (...received: Parameters<TemplateWorld["include"]>) => world.include(...received);
const htmlOf = (...given: Parameters<TemplateWorld["htmlOf"]>) => world.htmlOf(...given);

beforeAll(async () => {
  world = await templateWorld();
});

afterAll(() => world.service.stop());

describe("templates", () => {
  test("are created, shown and deleted, with what they say of themselves", async () => {
    const headers = { "idempotency-key": "once" };
    const body = template("shown", undefined, { tags: ["a"], priority: 3, bcc: "x@example.com" });
    const created = await call("POST", ROOT, body, undefined, headers);
    expect([created.status, created.body]).toEqual([201, { success: true, key: "shown" }]);
    expect((await call("POST", ROOT, body, undefined, headers)).body).toEqual(created.body);
    const view = await call("GET", `${ROOT}/shown`);
    expect(view.headers.etag).toBe(created.headers.etag);
    expect(view.body).toEqual({
      ...{ ...body, accountID: view.body.accountID, mdtID: expect.stringMatching(/^[0-9a-f]{24}$/) },
      ...{ classification: "promotional", trackLinks: "enabled", bccEnabled: false },
      ...{ trackOpens: true, strict: false, onUnknown: null, triggerTypesEnabled: ["api"] },
      triggers: { api: { enabled: true }, event: { enabled: false }, recurring: { enabled: false } },
      entry: { reentry: "always", holdoutPercent: 0 },
      ...{ status: "published", draftContent: false, ct: view.body.ct, lm: view.body.ct },
      ...{ tests: [], alerts: [], stats: NOTHING_SENT, asOf: expect.stringMatching(/^2\d{3}-.*Z$/) },
    });
    expect((await call("GET", `${ROOT}/shown?fields=key,priority`)).body).toEqual({ key: "shown", priority: 3 });
    expect((await call("DELETE", `${ROOT}/shown`)).body).toEqual({ success: true });
    for (const method of ["GET", "DELETE"] as const) {
      const { status, body: error } = await call(method, `${ROOT}/shown`);
      expect([status, error.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    }
  });

  test("get the usual value of what is null", async () => {
    const variants = [{ name: "a" }, { name: "b" }];
    const more = { classification: "transactional", priority: 4, trackLinks: "disabled", strict: true };
    await make("usual", undefined, { ...more, tests: [{ type: "split", enabled: true, variants }] });
    const nothing = { classification: null, priority: null, trackLinks: null, bccEnabled: null, trackOpens: null };
    const put = await call("PUT", `${ROOT}/usual`, {
      ...{ ...nothing, strict: null, tests: null, draftContent: null, message: email("<p>usual</p>") },
    });
    expect(put.status).toBe(200);
    expect((await call("GET", `${ROOT}/usual`)).body).toMatchObject({
      ...{ classification: "promotional", priority: 2, trackLinks: "enabled", bccEnabled: false, trackOpens: true },
      ...{ strict: false, tests: [], draftContent: false, status: "published" },
    });
    await call("DELETE", `${ROOT}/usual`);
  });

  test("take changes of their tests and of their message that come at once one after another", async () => {
    await make("changing");
    const tests = (name: string) => [{ type: "split", enabled: true, variants: [{ name }, { name: "b" }] }];
    const bodies = ["one", "two", "three", "four"].flatMap((name) => [
      { message: email(`<p>${name}</p>`), tests: tests(name) },
      { message: email(`<p>${name}</p>`) },
    ]);
    const answers = await Promise.all(bodies.map((body) => call("PUT", `${ROOT}/changing`, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    await call("DELETE", `${ROOT}/changing`);
  });

  test("have keys that are unique in their account, and are seen by it alone", async () => {
    const [first, second] = await Promise.all([make("raced"), make("raced")]);
    expect([first.status, second.status].sort()).toEqual([201, 422]);
    const refused = first.status === 422 ? first : second;
    expect(problems(refused)).toEqual([422, "KEY_MUST_BE_UNIQUE", "/key bad_value"]);
    expect((await call("GET", `${ROOT}/raced`, undefined, world.otherKey)).status).toBe(404);
    expect((await call("PUT", `${ROOT}/raced`, { message: email("x") }, world.otherKey)).status).toBe(404);
    expect((await call("DELETE", `${ROOT}/raced`, undefined, world.otherKey)).status).toBe(404);
    expect((await call("GET", ROOT, undefined, world.otherKey)).body.data).toEqual([]);
    expect((await call("POST", ROOT, template("raced"), world.otherKey)).status).toBe(201);
  });

  test("are listed by creation or key, by tag and time, page by page", async () => {
    for (const name of ["l-b", "l-c", "l-a"]) await make(name, undefined, { tags: ["listed", name] });
    const keysOf = async (query: string) => {
      const all: string[] = [];
      let url: string | undefined = `${ROOT}?per_page=2&fields=key&${query}`;
      while (url !== undefined) {
        const answer: Called = await call("GET", url);
        all.push(...answer.body.data.map((row: { key: string }) => row.key));
        url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
      }
      return all;
    };
    expect(await keysOf("tags=listed")).toEqual(["l-b", "l-c", "l-a"]);
    expect(await keysOf("tags=listed&sort_by=key&sort_dir=desc")).toEqual(["l-c", "l-b", "l-a"]);
    expect(await keysOf("tags=l-a,l-b&ct[gte]=2020-01-01")).toEqual(["l-b", "l-a"]);
    expect(await keysOf("tags=listed&lm[lt]=2020-01-01")).toEqual([]);
    const version = "65f0c0ffee65f0c0ffee00a1";
    expect(await keysOf(`tags=listed&orchestrationID=${version}`)).toEqual([]);
    expect(await keysOf(`tags=listed&compositionID=${version}`)).toEqual([]);
    const whole = await call("GET", `${ROOT}?tags=l-a&return_count=true`);
    expect(whole.body).toMatchObject({ data: [{ message: email("<p>l-a</p>") }], pagination: { total: 1 } });
  });
});

describe("states of a template", () => {
  test("a draft is rendered as a draft alone until it is published", async () => {
    await make("drafted", email("<p>1</p>"), { draftContent: true });
    expect((await call("GET", `${ROOT}/drafted`)).body).toMatchObject({ status: "draft", draftContent: true });
    expect(await htmlOf("drafted")).toBe("422 TEMPLATE_NOT_PUBLISHED");
    expect(await htmlOf("drafted", "renderdraft")).toBe("<p>1</p>");
    expect((await call("PUT", `${ROOT}/drafted/publish`)).body).toEqual({ success: true, key: "drafted" });
    expect(await htmlOf("drafted")).toBe("<p>1</p>");
  });

  test("a newer draft leaves what is published as it is; publishing twice changes nothing more", async () => {
    await make("both", email("<p>1</p>"));
    expect(await htmlOf("both", "renderdraft")).toBe("<p>1</p>");
    await call("PUT", `${ROOT}/both`, { message: email("<p>2</p>"), draftContent: true });
    const displayed = (await call("GET", `${ROOT}/both`)).body;
    expect(displayed).toMatchObject({ status: "published", draftContent: true, draft: email("<p>2</p>") });
    expect(displayed.message).toEqual(email("<p>1</p>"));
    expect([await htmlOf("both"), await htmlOf("both", "renderdraft")]).toEqual(["<p>1</p>", "<p>2</p>"]);
    await call("PUT", `${ROOT}/both/publish`);
    const published = (await call("GET", `${ROOT}/both`)).body;
    expect((await call("PUT", `${ROOT}/both/publish`)).status).toBe(200);
    // The numbers go on to be fresh.
    const again = (await call("GET", `${ROOT}/both`)).body;
    expect({ ...again, asOf: published.asOf }).toEqual(published);
    await call("PUT", `${ROOT}/both`, { message: email("<p>3</p>") });
    expect([await htmlOf("both"), await htmlOf("both", "renderdraft")]).toEqual(["<p>3</p>", "<p>3</p>"]);
  });

  test("every call on an unknown key is a 404, and a stale version a 409", async () => {
    const unknown = [
      await call("PUT", `${ROOT}/none`, { message: email("x") }),
      await call("PUT", `${ROOT}/none/publish`),
      await call("GET", `${ROOT}/none/renderdraft/${CID}`),
      await call("GET", `${ROOT}/none/renderpublished/${CID}`),
    ];
    for (const { status, body } of unknown) expect([status, body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    const built = await make("stale");
    await call("PUT", `${ROOT}/stale`, { message: email("new") });
    const match = { "if-match": String(built.headers.etag) };
    for (const path of ["", "/publish"]) {
      const answer = await call("PUT", `${ROOT}/stale${path}`, { message: email("newer") }, undefined, match);
      expect(answer.body.code).toBe("VERSION_CONFLICT");
    }
  });
});

describe("includes of templates", () => {
  test("are rendered as they are now, and cannot be deleted while a template or include uses them", async () => {
    await include("deep", "{{ contact.cID }}");
    await include("footer", "<i>1 {% render 'deep', contact: contact %}</i>");
    await make("including", email("<p>a</p>{% if true %}{% include 'footer' %}{% endif %}"));
    expect(await htmlOf("including")).toBe(`<p>a</p><i>1 ${CID}</i>`);
    await call("PUT", "/v2/includes/footer", { content: "<i>2 {% include 'deep' %}</i>" });
    expect(await htmlOf("including")).toBe(`<p>a</p><i>2 ${CID}</i>`);
    const used = await call("DELETE", "/v2/includes/footer");
    expect([used.status, used.body.code, used.body.details[0].message]).toEqual([
      422,
      "INCLUDE_IN_USE",
      "The automation template including uses it.",
    ]);
    expect((await call("DELETE", "/v2/includes/deep")).body.details[0].message).toBe("The include footer uses it.");
    await call("PUT", `${ROOT}/including`, { message: email("none"), draftContent: true });
    expect((await call("DELETE", "/v2/includes/footer")).body.code).toBe("INCLUDE_IN_USE");
    await call("PUT", `${ROOT}/including/publish`);
    expect((await call("DELETE", "/v2/includes/footer")).status).toBe(200);
    expect((await call("DELETE", "/v2/includes/deep")).status).toBe(200);
  });

  test("see what the template sees, and with render none of its variables", async () => {
    await include("seeing", "{{ contact.cID }} {{ message.key }} {{ own }}{{ given }}");
    const html = "{% assign own = 'own' %}{% include 'seeing' %} {% render 'seeing', given: 'given' %}";
    await make("shared", email(html));
    expect(await htmlOf("shared")).toBe(`${CID} shared own ${CID} shared given`);
  });

  test("are freed by the template's deletion", async () => {
    await include("freed", "x");
    await make("freeing", email("{% include 'freed' %}"));
    expect((await call("DELETE", "/v2/includes/freed")).body.code).toBe("INCLUDE_IN_USE");
    await call("DELETE", `${ROOT}/freeing`);
    expect((await call("DELETE", "/v2/includes/freed")).status).toBe(200);
  });

  test("never lead back to themselves, and go eight levels deep", async () => {
    await include("level-8", "x");
    for (let level = 7; level >= 1; level -= 1) await include(`level-${level}`, `{% include 'level-${level + 1}' %}`);
    expect((await make("deepest", email("{% include 'level-1' %}"))).status).toBe(201);
    expect(await htmlOf("deepest")).toBe("x");
    const deeper = await include("level-0", "\n{% include 'level-1' %}");
    expect(problems(deeper)).toEqual([422, "VALIDATION_ERROR", "/content too_many 2:1"]);
    const extended = await call("PUT", "/v2/includes/level-8", { content: "{% include 'level-1' %}" });
    expect(problems(extended)).toEqual([422, "VALIDATION_ERROR", "/content not_allowed 1:1"]);
    const own = await include("own", "{% include 'own' %}");
    expect(problems(own)).toEqual([422, "VALIDATION_ERROR", "/content not_allowed 1:1"]);
    const wrong = await include("wrong", "{{ a | nope }}{% include 'wrong' %}{% include 'nobody' %}");
    expect(problems(wrong)).toEqual([
      ...[422, "VALIDATION_ERROR", "/content bad_value 1:1"],
      ...["/content not_allowed 1:15", "/content unknown_reference 1:36"],
    ]);
  });
});

describe("a rendered template", () => {
  test("shows headers, bodies, and what is missing", async () => {
    const html =
      '<style>p { color: red }</style><p>{{ contact.channels.email.address }} {{ contact.attributes.first }}</p><a href="{{ links.unsubscribe }}">u</a>';
    await make("rendered", email(html, { subject: "For {{ contact.cID }}, {{ 5 | money }}" }));
    const { status, body } = await call("GET", `${ROOT}/rendered/renderpublished/ada@example.com`);
    expect([status, body.headers.subject]).toEqual([200, `For ${CID}, €5.00`]);
    expect(body.content["text/html"]).toContain('<p style="color: red;">');
    expect(body.content["text/plain"]).toContain("u [http://127.0.0.1:8450/t/u/preview]");
    expect(body.experiments).toEqual([]);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(["missing_value"]);
  });

  test("of sms and other channels is a text or JSON", async () => {
    const sms = { content: { "text/plain": "Hi {{ contact.cID }}" } };
    expect((await make("short", sms, { channel: "sms" })).status).toBe(201);
    const short = await call("GET", `${ROOT}/short/renderpublished/${CID}`);
    expect(short.body).toMatchObject({ content: { "text/plain": `Hi ${CID}` }, segments: 1, headers: {} });
    const json = (text: string) => ({ content: { "application/json": text } });
    await make("pushed", json('{"to": {{ contact.cID | json }}}'), { channel: "push" });
    const pushed = await call("GET", `${ROOT}/pushed/renderpublished/${CID}`);
    expect(pushed.body.content["application/json"]).toBe(`{"to": "${CID}"}`);
    await make("broken", json("{{ contact.cID }}"), { channel: "push" });
    const broken = await call("GET", `${ROOT}/broken/renderpublished/${CID}`);
    expect(problems(broken)).toEqual([422, "VALIDATION_ERROR", "/message/content/application~1json render_failed"]);
  });

  test("is a 404 for an unknown contact, and a 422 where it cannot be rendered, at its place", async () => {
    await make("endless", email("<p>\n{% for i in (1..1000000000) %}{% endfor %}</p>"));
    expect((await call("GET", `${ROOT}/endless/renderpublished/nobody@example.com`)).body.code).toBe(
      "CONTACTS_CONTACT_NOT_FOUND",
    );
    const endless = await call("GET", `${ROOT}/endless/renderpublished/${CID}`);
    expect(problems(endless)).toEqual([422, "VALIDATION_ERROR", "/message/content/text~1html render_failed 2:1"]);
    const foot = { key: "foot-1", content: "<i>\n {% for i in (1..1000000000) %}{% endfor %}</i>" };
    expect((await call("POST", "/v2/includes", foot)).status).toBe(201);
    await make("footed", email("<p>\n\n\n{% include 'foot-1' %}</p>"));
    const footed = await call("GET", `${ROOT}/footed/renderpublished/${CID}`);
    expect(problems(footed)).toEqual([422, "VALIDATION_ERROR", "/includes/foot-1/content render_failed 2:2"]);
    expect(footed.body.message).toContain('In the include "foot-1"');
    expect((await call("GET", `${ROOT}/rendered/renderpublished/${CID}`, undefined, world.otherKey)).status).toBe(404);
  });
});

test("a transport that a template names is in use, and of its channel", async () => {
  const transport = async (body: object) => (await call("POST", "/v2/transports", body)).body.id;
  const mail = await transport({ name: "mail", channel: "email", type: "log" });
  const sms = await transport({ name: "sms", channel: "sms", type: "log" });
  expect(problems(await make("by", undefined, { transportID: sms }))).toEqual([
    422,
    "VALIDATION_ERROR",
    "/transportID bad_value",
  ]);
  expect((await make("by", undefined, { transportID: mail })).status).toBe(201);
  expect((await call("GET", `${ROOT}/by`)).body.transportID).toBe(mail);
  const refused = await call("DELETE", `/v2/transports/${mail}`);
  expect([refused.status, refused.body.code, refused.body.details[0].message]).toEqual([
    422,
    "TRANSPORT_IN_USE",
    "The automation template by uses it.",
  ]);
  await call("PUT", `${ROOT}/by`, { message: email("x"), transportID: null });
  expect((await call("DELETE", `/v2/transports/${mail}`)).status).toBe(200);
});
