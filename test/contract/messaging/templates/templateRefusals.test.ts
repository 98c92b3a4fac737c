import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CID, email, HEADERS, problems, ROOT, type TemplateWorld, template, templateWorld } from "./templateWorld.ts";

let world: TemplateWorld;
const call = (...input: Parameters<TemplateWorld["call"]>) => world.call(...input);
const make = (...provided: Parameters<TemplateWorld["make"]>) => world.make(...provided);

beforeAll(async () => {
  world = await templateWorld();
});

afterAll(() => world.service.stop());

describe("a template is refused", () => {
  test.each<[string, object, string[]]>([
    [
      "without its members",
      {},
      ["/key required", "/name required", "/channel required", "/baseAggregation required", "/message required"],
    ],
    ["with a wrong key", template("a b"), ["/key bad_value"]],
    [
      "of an email without its parts",
      template("x", { content: {} }),
      [
        "/message/headers/subject required",
        "/message/headers/fromEmail required",
        "/message/headers/fromDesc required",
        "/message/content/text~1html required",
      ],
    ],
    [
      "with two bodies",
      template("x", {
        headers: HEADERS,
        content: { "text/html": "a", "text/mjml": "<mjml><mj-body></mj-body></mjml>" },
      }),
      ["/message/content/text~1mjml not_allowed"],
    ],
    [
      "with a line break in its subject",
      template("x", email("a", { subject: "a\r\nBcc: b@c.d" })),
      ["/message/headers/subject bad_value"],
    ],
    [
      "with a header of 100 KB",
      template("x", email("a", { subject: "s".repeat(100_000) })),
      ["/message/headers/subject too_long"],
    ],
    [
      "with a sender that is no address",
      template("x", email("a", { fromEmail: "nobody" })),
      ["/message/headers/fromEmail bad_value"],
    ],
    [
      "of an sms without a text",
      { ...template("x", { content: {} }), channel: "sms" },
      ["/message/content/text~1plain required"],
    ],
    [
      "of another channel without JSON",
      { ...template("x", { content: {} }), channel: "push" },
      ["/message/content/application~1json required"],
    ],
    ["with an unknown transport", template("x", undefined, { transportID: CID }), ["/transportID unknown_reference"]],
    [
      "with mistakes in every part",
      template("x", email("<p>\n{{ a | nope }}{% frob %}</p>", { subject: "{{ b | nope }}" })),
      [
        "/message/headers/subject bad_value 1:1",
        "/message/content/text~1html bad_value 2:1",
        "/message/content/text~1html bad_value 2:15",
      ],
    ],
    [
      "with an unknown include",
      template("x", email("<p>\n {% include 'nobody' %}</p>")),
      ["/message/content/text~1html unknown_reference 2:2"],
    ],
    [
      "with an unknown include beside other mistakes, in its variants too",
      template("x", email("{% include 'nobody' %}{{ a | nope }}"), {
        tests: [
          {
            ...{ type: "split", enabled: true },
            variants: [
              { name: "a", headers: { subject: "{{ b | nope }}" } },
              { name: "b", content: { "text/html": "{% nope %}" } },
            ],
          },
        ],
      }),
      [
        "/message/content/text~1html bad_value 1:23",
        "/tests/0/variants/0/headers/subject bad_value 1:1",
        "/tests/0/variants/1/content/text~1html bad_value 1:1",
        "/message/content/text~1html unknown_reference 1:1",
      ],
    ],
    [
      "with 65 blocks in one another",
      template("x", email(`{{ a | nope }}${"{% if a %}".repeat(65)}${"{% endif %}".repeat(65)}`)),
      ["/message/content/text~1html bad_value 1:1", "/message/content/text~1html bad_value 1:655"],
    ],
    [
      "with MJML that drops its Liquid",
      template("x", {
        headers: HEADERS,
        content: { "text/mjml": "<mjml><mj-body>\n{% if a %}<mj-section></mj-section>{% endif %}</mj-body></mjml>" },
      }),
      ["/message/content/text~1mjml bad_value 2:1", "/message/content/text~1mjml bad_value 2:36"],
    ],
  ])("%s", async (_, body, details) => {
    expect(problems(await call("POST", ROOT, body))).toEqual([422, "VALIDATION_ERROR", ...details]);
    expect((await call("GET", `${ROOT}/x`)).status).toBe(404);
  });

  test("beyond 5 MiB of content, and its body beyond 6 MiB", async () => {
    const large = await make("large", email("x".repeat(5 * 1024 * 1024 + 1)));
    expect(problems(large)).toEqual([422, "VALIDATION_ERROR", "/message/content/text~1html too_long"]);
    const larger = await make("larger", email("x".repeat(6 * 1024 * 1024)));
    expect([larger.status, larger.body.limit]).toEqual([413, { what: "bytes", max: 6_291_456 }]);
  });

  test("when its key or channel would change", async () => {
    await make("fixed");
    const changed = await call("PUT", `${ROOT}/fixed`, { key: "other", channel: "sms", message: email("x") });
    expect(problems(changed)).toEqual([422, "VALIDATION_ERROR", "/key not_allowed", "/channel not_allowed"]);
  });
});
