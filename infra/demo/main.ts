import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { sendCampaign } from "./campaign/sendCampaign.ts";
import { readConnection } from "./connection.ts";
import { parseLines } from "./dataset/lines.ts";
import { type Requests, toRequests } from "./dataset/requests.ts";
import { DemoFailure } from "./demoFailure.ts";
import { createHttpApi, type HttpApi } from "./httpApi.ts";
import { simulateJourney } from "./journey/simulateJourney.ts";
import { isLoaded } from "./loading/isLoaded.ts";
import { type Loaded, loadAll } from "./loading/load.ts";
import { count, createProgress } from "./progress.ts";
import { questions } from "./questions/questions.ts";

const DATA = new URL("./data/online-retail-sample.csv.gz", import.meta.url);

/** Loads real retail data through the public API, once, asks three questions about them, simulates a journey, and sends a letter to 100 customers. */
async function main(): Promise<void> {
  const connection = readConnection(process.env);
  const api = createHttpApi(connection);
  const { lines, withoutCustomer } = parseLines((await promisify(gunzip)(await readFile(DATA))).toString("utf8"));
  const requests = toRequests(lines);
  print(
    `${count(lines.length + withoutCustomer)} order lines of ${count(requests.customers)} customers; ` +
      `${count(withoutCustomer)} lines name no customer and are left out.`,
  );
  const loaded = (await isLoaded(api, requests.customers)) ? undefined : await load(api, requests);
  if (loaded === undefined) print("The data are there: nothing is loaded twice.");
  await answerQuestions(api, loaded?.lastReceipt);
  const reports = [
    await simulateJourney(api),
    ...(connection.mail === undefined ? [] : [await sendCampaign(api, lines, connection.mail)]),
  ];
  for (const [index, report] of reports.entries()) print(`\n${questions.length + 1 + index}. ${report.join("\n")}`);
}

async function load(api: HttpApi, requests: Requests): Promise<Loaded> {
  const loaded = await loadAll(api, requests, createProgress(process.stderr));
  const { outcome, records } = loaded;
  print(
    `${count(records)} records in ${loaded.requests} requests: ${count(outcome.applied)} applied, ` +
      `${count(outcome.skipped)} skipped, ${count(outcome.rejected)} rejected.`,
  );
  print(
    `Accepted ${seconds(loaded.acceptedMs)} after the first request, everything applied after ${seconds(loaded.appliedMs)}.`,
  );
  return loaded;
}

async function answerQuestions(api: HttpApi, after: string | undefined): Promise<void> {
  for (const [index, question] of questions.entries()) {
    print(`\n${index + 1}. ${question.text}\n   ${question.request}\n   = ${await question.ask(api, after)}`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (!(error instanceof DemoFailure)) throw error;
  process.stderr.write(`\n${error.message}\n`);
}
