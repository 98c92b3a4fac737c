import { type Account, accountSettings, defaultSettings } from "@headwater/contracts";
import type { Row } from "@headwater/jobs/sources/row";
import { expect, test } from "vitest";
import { createHeaderReader } from "./headerSynonyms.ts";
import { expectIdentifier } from "./importColumn.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

test.each([
  ["Email", "email"],
  ["E-Mail", "email"],
  ["e-mail address", "email"],
  ["EMAIL_ADDRESS", "email"],
  ["E-Mail-Adresse", "email"],
  ["E-mail 1 - Value", "email"],
  ["\u200bE-Mail:", "email"],
  ["Email*", "email"],
  ["Phone", "phone"],
  ["Phone number", "phone"],
  ["Mobile", "phone"],
  ["Telefon", "phone"],
  ["Handy-Nr.", "phone"],
  ["Phone 1 - Value", "phone"],
  ["Customer ID", "customer_id"],
  ["CustomerId", "customer_id"],
  ["Kundennummer", "customer_id"],
  ["Anonymous Id", "anonymousId"],
  ["Email subject", undefined],
  ["Customer", undefined],
  ["Town", undefined],
  ["", undefined],
])("the header %j stands for %s", (header, identifier) => {
  expect(createHeaderReader(account)(header)).toBe(identifier);
});

test("an account's own identifiers are meant as well, and only those that it has", () => {
  const identifiers = [
    { name: "cID", kind: "primary", format: "string" },
    { name: "loyaltyCard", kind: "primary", format: "string" },
  ];
  const meaningOf = createHeaderReader({ settings: accountSettings.parse({ identifiers }) });
  expect([meaningOf("Loyalty card"), meaningOf("E-Mail")]).toEqual(["loyaltyCard", undefined]);
});

test("a source without an identifier is refused with its columns and what each could be", () => {
  const header = ["Kontakt", "emial", "Nr", "Town"];
  const rows = [
    ["ann@example.com", "x", "1", "Graz"],
    ["Bob <bob@example.com>", "y", "2", "Linz"],
  ].map((texts, index): Row => {
    return { kind: "cells", index, line: index + 2, cells: texts.map((text) => ({ text, isQuoted: false })) };
  });
  const columns = header.map((name) => ({ name, path: `attributes.${name}`, identifies: false }));
  const names = ["email", "phone", "customer_id"];
  const message =
    'No column is an identifier (email, phone, customer_id). The columns are "Kontakt" (could be email), "emial" (could be email), "Nr" (could be customer_id), "Town". Map one with `mapping`.';
  expect(() => expectIdentifier(columns, { names, rows })).toThrow(
    expect.objectContaining({ code: "IMPORT_CONFIGURATION_ERROR", publicMessage: message }),
  );
  const found = columns.map((column) => ({ ...column, identifies: column.name === "Nr" }));
  expect(() => expectIdentifier(found, { names: ["email"], rows })).not.toThrow();
});
