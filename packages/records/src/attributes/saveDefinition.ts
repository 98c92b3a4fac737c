import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { type Account, ARRAY_ITEMS_USUAL } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { loadListsByName } from "../lists/lists.ts";
import type { RoutePorts } from "../ports.ts";
import { readClearsOf } from "./attributeClears.ts";
import { type AttributeDefinition, countAttributes, lockAttribute, setAttribute } from "./attributeDefinitions.ts";
import { countNotCast } from "./attributeValues.ts";
import {
  type DefinitionBody,
  definitionRecord,
  NEW_KEY_CHARACTERS_MAX,
  type NewDefinitionBody,
  versionOfDefinition,
} from "./definitionShape.ts";

type Ports = Pick<RoutePorts, "postgres" | "clickHouse" | "clock" | "attributeRules">;
type Definition = Omit<AttributeDefinition, "createdAt">;

/**
 * Declares an attribute; one that came up with a write is declared by it, too.
 * @throws HeadwaterError 422 `ACCOUNT_ATTRIBUTES_EXCEEDED`, `VALIDATION_ERROR` for a new key that is too long, `KEY_MUST_BE_UNIQUE` for a key that is declared or the name of a list.
 */
export async function createDefinition(once: OnceCall, body: NewDefinitionBody, ports: Ports): Promise<Answer> {
  const { account } = once.caller;
  const { key } = body;
  const answer = await runOnce(ports.postgres, once, async (transaction) => {
    const known = await lockAttribute(transaction, { account: account.number, key });
    if (known !== undefined && known.type !== "auto") throw taken(key, "an attribute has this key");
    if (known === undefined) {
      refuseLongKey(key);
      await refuseNameOfList(transaction, account, key);
      await expectRoom(transaction, account);
    }
    const made = merge(emptyDefinition(account, key), body, account);
    await setAttribute(transaction, made, ports.clock.nowMs());
    const kept = {
      success: true,
      key,
      ...(known && (await notCastOf(made, account, { ...ports, transaction }))),
    };
    return { kept, answer: { status: 201, body: kept } };
  });
  ports.attributeRules.forget(account);
  return answer;
}

function refuseLongKey(key: string): void {
  if (key.length <= NEW_KEY_CHARACTERS_MAX) return;
  const message = `A new key must have at most ${NEW_KEY_CHARACTERS_MAX} characters.`;
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "too_long", message }] });
}

async function expectRoom(transaction: Transaction, { number: account, settings }: Account): Promise<void> {
  const { attributesPerAccount: max } = settings.limits;
  if ((await countAttributes(transaction, { account })) < max) return;
  const message = `An account can have at most ${max} attributes.`;
  throw refusal("ACCOUNT_ATTRIBUTES_EXCEEDED", message, { details: [{ path: "/key", code: "too_many", message }] });
}

/**
 * Updates a definition. A definition of type `auto` can be given a type.
 * @throws HeadwaterError 404 `RECORD_NOT_FOUND`; 409 `VERSION_CONFLICT`; 422 `TYPE_CHANGE_NOT_ALLOWED`.
 */
export async function updateDefinition(
  once: OnceCall,
  { key, body, ifMatch }: { readonly key: string; readonly body: DefinitionBody; readonly ifMatch: string | undefined },
  ports: Ports,
): Promise<Answer> {
  const { account } = once.caller;
  if (body.key !== undefined && body.key !== key) throw fixed("/key", "`key` cannot be changed.");
  const answer = await runOnce(ports.postgres, once, async (transaction) => {
    const known = await lockAttribute(transaction, { account: account.number, key });
    if (known === undefined) throw unknown();
    expectVersion(ifMatch, versionOfDefinition(known));
    const isTyped = known.type === "auto" && body.type !== undefined && body.type !== "auto";
    if (!isTyped && body.type !== undefined && body.type !== known.type) throw otherType(known.type);
    const made = merge(known, body, account);
    await setAttribute(transaction, made, ports.clock.nowMs());
    const kept = {
      success: true,
      key,
      ...(isTyped && (await notCastOf(made, account, { ...ports, transaction }))),
    };
    const headers = { ETag: etagOf(versionOfDefinition(made)) };
    return { kept, stored: definitionRecord(known), answer: { status: 200, body: kept, headers } };
  });
  ports.attributeRules.forget(account);
  return answer;
}

export function unknown() {
  return refusal("RECORD_NOT_FOUND", "No attribute has this key.");
}

function emptyDefinition({ number: account }: Account, key: string): Definition {
  const flags = { indexed: false, unique: false, updateUnauthenticated: false };
  return { account, key, type: "auto", name: null, validators: null, maxItems: null, retainOnDestroy: null, ...flags };
}

function merge(known: Definition, body: DefinitionBody, account: Account): Definition {
  const type = body.type ?? known.type;
  if (body.unique === true) refuseNoIdentifier(known.key, account);
  if ((body.retainOnDestroy ?? null) !== null) refuseToRetain(known.key, account);
  const itemsUsual = type === "array" ? ARRAY_ITEMS_USUAL : null;
  return {
    ...known,
    type,
    name: body.name ?? known.name,
    indexed: body.index ?? known.indexed,
    unique: body.unique ?? known.unique,
    validators: body.validators === undefined ? known.validators : body.validators,
    maxItems: body.options?.maxitems ?? known.maxItems ?? itemsUsual,
    updateUnauthenticated: body.updateUnauthenticated ?? known.updateUnauthenticated,
    retainOnDestroy: body.retainOnDestroy === undefined ? known.retainOnDestroy : body.retainOnDestroy,
  };
}

/** A value that one contact alone may have finds that contact: such a name is an identifier of the account. */
function refuseNoIdentifier(key: string, { settings }: Account): void {
  if (settings.identifiers.some(({ name }) => name === key)) return;
  const message = "Only identifiers can be unique. Add the key to the account's `identifiers` first.";
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/unique", code: "not_allowed", message }] });
}

/** Its values name persons: none of them outlives its contact. */
function refuseToRetain(key: string, { settings }: Account): void {
  if (!settings.identifiers.some(({ name }) => name === key)) return;
  throw fixed(
    "/retainOnDestroy",
    "An identifier identifies a person and cannot be retained when a contact is deleted.",
  );
}

async function refuseNameOfList(transaction: Transaction, { number: account }: Account, key: string): Promise<void> {
  const [list] = await loadListsByName(transaction, [{ account, name: key }]);
  if (list !== undefined) throw taken(key, "a list has this name");
}

async function notCastOf(
  { key, type }: Definition,
  { number: account }: Account,
  { clickHouse, transaction }: Pick<Ports, "clickHouse"> & { readonly transaction: Transaction },
) {
  const cleared = (await readClearsOf(transaction, account)).get(key);
  return { notCast: await countNotCast({ account, key, type, cleared }, clickHouse) };
}

function taken(key: string, why: string) {
  const details = [{ path: "/key", code: "not_allowed", message: `${JSON.stringify(key)}: ${why}.` }];
  return refusal("KEY_MUST_BE_UNIQUE", `The key is taken: ${why}.`, { details });
}

function fixed(path: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code: "not_allowed", message }] });
}

function otherType(type: string) {
  const message = `The attribute has type ${type}. A defined type cannot be changed.`;
  return refusal("TYPE_CHANGE_NOT_ALLOWED", message, { details: [{ path: "/type", code: "not_allowed", message }] });
}
