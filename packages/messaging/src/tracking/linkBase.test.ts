import { describe, expect, test } from "vitest";
import { linkBaseOf } from "./linkBase.ts";

const settings = { domains: { shop: "links.shop.example", local: "localhost:4030" } };
const trackingUrl = "https://t.example.com";

describe("links of a message begin with", () => {
  test("the tracker's address where it names no domain, or one that is no longer there", () => {
    expect(linkBaseOf({ trackingUrl, settings, vanityDomainKey: undefined })).toBe(trackingUrl);
    expect(linkBaseOf({ trackingUrl, settings, vanityDomainKey: "gone" })).toBe(trackingUrl);
    expect(linkBaseOf({ trackingUrl, settings, vanityDomainKey: "toString" })).toBe(trackingUrl);
  });

  test("the host of its domain, with the scheme and the path of the tracker's address", () => {
    expect(linkBaseOf({ trackingUrl, settings, vanityDomainKey: "shop" })).toBe("https://links.shop.example");
    const development = "http://127.0.0.1:4030/mail/";
    expect(linkBaseOf({ trackingUrl: development, settings, vanityDomainKey: "local" })).toBe(
      "http://localhost:4030/mail",
    );
  });
});
