export { subscription } from "./subscription/subscription.ts";
