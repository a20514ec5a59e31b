import type { CoreOptions } from "../../provider/core/core";
import { DynamicHost } from "../../provider/hosts/dynamic/host";
import type { PlacedKind } from "../../provider/resource/kind";
import type { Provider } from "./stack";

type CreateProvider = (kind: PlacedKind, options: CoreOptions) => Provider;

const dynamic: CreateProvider = (kind, options) => new DynamicHost(kind, { argv: [], ...options });

let create = dynamic;

/** Returns the provider of a kind, behind the host that this test file runs with. Defaults to the dynamic host. */
export function providerOf(kind: PlacedKind, options: CoreOptions): Provider {
  return create(kind, options);
}

/** Specifies the host for the tests of this file. Defaults to the dynamic host. */
export function runOver(other: CreateProvider = dynamic): void {
  create = other;
}
