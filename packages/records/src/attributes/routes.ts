import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checked, Checking, ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { attributeTypes } from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { loadListsByName } from "../lists/lists.ts";
import type { RoutePorts } from "../ports.ts";
import { attributeBody, attributeRecord, attributeShape, declared, keyShape, newAttributeBody } from "./attribute.ts";
import { readClearsOf } from "./attributeClears.ts";
import { countNotCast } from "./clickhouse.ts";
import { type AttributeRow, attributes, toDefinition } from "./postgres.ts";
import { deleteAttribute } from "./routes/deleteAttribute.ts";
import { listAttributevalues } from "./routes/listAttributevalues.ts";

type AttributePorts = ResourcePorts & Pick<RoutePorts, "attributeRules" | "clickHouse" | "freshness" | "queue">;

const requestExample = {
  key: "lifetime_value",
  name: "Lifetime value",
  type: "number",
  index: true,
  validators: { min: 0, max: 1_000_000 },
};
const example = { ...requestExample, unique: false, options: {}, updateUnauthenticated: false, retainOnDestroy: null };

/** Values that contacts have and that cannot be read as the type; they read as missing. */
const answer = { members: { notCast: z.number().int().optional() }, example: { notCast: 0 } };

const plainRoutes = defineResource({
  resource: "accountcontactattributes",
  noun: "attribute",
  table: attributes,
  shape: attributeShape,
  example,
  toRecord: attributeRecord,
  versioned: attributeRecord,
  keyShape,
  committed: (account, { attributeRules }: AttributePorts) => attributeRules.forget(account),
  list: {
    operationId: "listAttributes",
    summary: "Lists the definitions of contact attributes, ordered by key or by name.",
    sorts: { key: "key", name: "label" },
    filters: { type: z.enum([...attributeTypes, "auto"]), indexed: z.enum(["true", "false"]) },
  },
  get: { operationId: "getAttribute", summary: "Returns a definition.", fields: false },
  create: {
    operationId: "createAttribute",
    summary: "Defines an attribute, including one that a write created implicitly.",
    description:
      "From then on values are validated and read as this type, at `/api` and here. `notCast` counts the contacts whose value cannot be cast; it reads as missing.",
    body: newAttributeBody,
    requestExample,
    answer,
    limit: { code: "ACCOUNT_ATTRIBUTES_EXCEEDED", path: "/key", max: ({ limits }) => limits.attributesPerAccount },
    keyOf: ({ key }) => key,
    expectReplaceable({ key, type }) {
      if (type !== "auto") throw taken(key, "an attribute has this key");
    },
    async toMembers(body, before, { account, key, caller, transaction }) {
      const members = declared(body, before, { key, settings: caller.account.settings });
      const [list] = before === undefined ? await loadListsByName(transaction, [{ account, name: key }]) : [];
      if (list !== undefined) throw taken(key, "a list has this name");
      return members;
    },
    check: checkValues,
  },
  update: {
    operationId: "updateAttribute",
    summary: "Updates a definition. A definition of type `auto` can be given a type.",
    body: attributeBody,
    requestExample: { name: "Plan", index: true },
    answer,
    toMembers(body, stored, { key, caller }) {
      const { type = stored.type } = body;
      if (stored.type !== "auto" && type !== stored.type) throw otherType(stored.type);
      return declared(body, stored, { key, settings: caller.account.settings });
    },
    check: checkValues,
  },
});

/** Counts the values that cannot be read as the type of an attribute that has none yet. */
async function checkValues(
  _: unknown,
  { account, key, ports: { clickHouse } }: Checking<AttributePorts>,
): Promise<Checked<AttributeRow>> {
  return {
    async complete(transaction, row, before) {
      const { type } = toDefinition(row);
      if (before?.type !== "auto" || type === "auto") return {};
      const cleared = (await readClearsOf(transaction, account)).get(key);
      return { notCast: await countNotCast({ account, key, type, cleared }, clickHouse) };
    },
  };
}

function taken(key: string, why: string) {
  const details = [{ path: "/key", code: "not_allowed", message: `${JSON.stringify(key)}: ${why}.` }];
  return refusal("KEY_MUST_BE_UNIQUE", `The key is taken: ${why}.`, { details });
}

function otherType(type: string) {
  const message = `The attribute has type ${type}. A defined type cannot be changed.`;
  return refusal("TYPE_CHANGE_NOT_ALLOWED", message, { details: [{ path: "/type", code: "not_allowed", message }] });
}

export function attributeRoutes(ports: AttributePorts): Route[] {
  return [...plainRoutes(ports), deleteAttribute(ports), listAttributevalues(ports)];
}
