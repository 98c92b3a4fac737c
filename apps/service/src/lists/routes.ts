import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { clearAccountlist } from "./clearAccountlist/index.ts";
import { countAccountlist } from "./countAccountlist/index.ts";
import { createAccountlist } from "./createAccountlist/index.ts";
import { deleteAccountlist } from "./deleteAccountlist/index.ts";
import { getAccountlist } from "./getAccountlist/index.ts";
import { listAccountlists } from "./listAccountlists/index.ts";
import { updateAccountlist } from "./updateAccountlist/index.ts";

export function accountlistRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres" | "queue">): Route[] {
  return [
    listAccountlists(ports),
    createAccountlist(ports),
    getAccountlist(ports),
    updateAccountlist(ports),
    deleteAccountlist(ports),
    countAccountlist(ports),
    clearAccountlist(ports),
  ];
}
