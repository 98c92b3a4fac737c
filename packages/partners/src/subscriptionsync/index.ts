export { subscription } from "./subscription/index.ts";
