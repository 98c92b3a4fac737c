import type { Described } from "./document.ts";

export interface Call {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sender {
  readonly url: string;
  /**
   * Proofs by their name in the document: a scheme (`apiKey`, `basic`), or the header where no scheme is declared. A route whose proof is
   * not here fails the test: add it, and it is sent.
   */
  readonly proofs: Readonly<Record<string, (call: Call) => Call>>;
  /** Values of path parameters that examples are sent with, by name; those of one operation by `operationId.name`. */
  readonly pathValues?: Readonly<Record<string, string>>;
}

export interface ExampleSent {
  readonly operationId: string;
  readonly status: number;
  readonly promised: number;
  /** Answer, so that a failure says why. */
  readonly answer: unknown;
}

/** Sends every example as it stands. @throws for an operation that has none, or that nobody knows how to call. */
export async function sendExamples(described: readonly Described[], sender: Sender): Promise<ExampleSent[]> {
  const sent: ExampleSent[] = [];
  for (const one of described) sent.push(await sendExample(one, sender));
  return sent;
}

async function sendExample(one: Described, { url, proofs, pathValues = {} }: Sender): Promise<ExampleSent> {
  const { operationId, method, proof, example, status: promised } = one;
  if (example === undefined) throw new Error(`${operationId} has no example`);
  const prove = Object.hasOwn(proofs, proof) ? proofs[proof] : undefined;
  if (prove === undefined) throw new Error(`${operationId}: nobody knows how to prove who calls by ${proof}`);
  const path = one.pathParameters.reduce((rest, name) => {
    const value = pathValues[`${operationId}.${name}`] ?? pathValues[name];
    if (value === undefined) throw new Error(`${operationId}: no value for the path's ${name}`);
    return rest.replace(`{${name}}`, encodeURIComponent(value));
  }, one.path);
  const headers = { "content-type": "application/json" };
  const call = prove({ path, body: JSON.stringify(example), headers });
  const answer = await fetch(`${url}${call.path}`, { method, headers: call.headers, body: call.body });
  return { operationId, status: answer.status, promised, answer: await answer.json() };
}
