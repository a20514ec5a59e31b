import type { CoreOptions } from "../../provider/core/core";
import { DynamicHost } from "../../provider/hosts/dynamic/host";
import type { PlacedKind } from "../../provider/resource/kind";
import type { Provider } from "./stack";

type CreateProvider = (kind: PlacedKind, options: CoreOptions) => Provider;

let create: CreateProvider = (kind, options) => new DynamicHost(kind, { argv: [], ...options });

/** Returns the provider of a kind behind the host over which this test file runs: the dynamic one by default. */
export function providerOf(kind: PlacedKind, options: CoreOptions): Provider {
  return create(kind, options);
}

/** Runs the tests of this file over another host. */
export function runOver(other: CreateProvider): void {
  create = other;
}
