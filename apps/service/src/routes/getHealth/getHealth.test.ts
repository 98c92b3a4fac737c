import { expect, test } from "vitest";
import { readBasicKey } from "./handler.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test("a key is the user name of HTTP Basic with a blank password", () => {
  expect(readBasicKey(basic("hw_abc:"))).toBe("hw_abc");
  expect(readBasicKey(basic("hw_abc:").replace("Basic", "basic"))).toBe("hw_abc");
});

test.each([basic("hw_abc:secret"), basic("hw_abc"), basic(":"), "Bearer hw_abc", "Basic", "Basic ???", ""])(
  "%j carries none",
  (header) => {
    expect(readBasicKey(header)).toBeUndefined();
  },
);
