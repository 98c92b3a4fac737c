import { createLogger, HeadwaterError, manualClock } from "@headwater/kernel";
import { expect, it } from "vitest";
import { createFailureLog } from "./failureLog.ts";

const request = { requestId: "r", route: "/v2/things" };
const away = () =>
  new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: "The store is unavailable.",
    retriable: true,
    cause: new Error("socket hang up"),
  });

function createLog() {
  const lines: string[] = [];
  const logger = createLogger({ name: "test", level: "warn", destination: { write: (line) => void lines.push(line) } });
  const clock = manualClock();
  const log = createFailureLog(logger, clock);
  return { clock, log, lines: () => lines.map((line) => JSON.parse(line)) };
}

it("logs what was away once a second, with its cause and how many more failed", () => {
  const { clock, log, lines } = createLog();
  for (let failed = 0; failed < 5; failed += 1) log(away(), request, false);
  clock.advance(1_000);
  log(away(), request, false);
  expect(lines()).toMatchObject([
    { level: "warn", ...request, unlogged: 0, err: { stack: expect.stringContaining("socket hang up") } },
    { level: "warn", unlogged: 4 },
  ]);
});

it("logs every unforeseen failure as an error, and nothing of refusals", () => {
  const { log, lines } = createLog();
  log(new Error("a defect"), request, false);
  log(new Error("a defect"), request, false);
  log(
    new HeadwaterError({ code: "CONTACTS_CONTACT_NOT_FOUND", status: 404, publicMessage: "Not found." }),
    request,
    false,
  );
  log(new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "Too busy." }), request, false);
  expect(lines()).toMatchObject([{ level: "error" }, { level: "error" }]);
});

it("logs nothing of work that ended because its client is gone, but defects that it met", () => {
  const { log, lines } = createLog();
  log(new DOMException("This operation was aborted", "AbortError"), request, true);
  log(away(), request, true);
  log(new Error("a defect"), request, true);
  expect(lines()).toMatchObject([{ level: "error", err: { message: "a defect" } }]);
});
