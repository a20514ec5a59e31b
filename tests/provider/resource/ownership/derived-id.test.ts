import { keptOrDerivedId, namedUuid } from "../../../../provider/resource/ownership/derived-id";

const idOf = async (urn: string, inputs: object = {}, olds: object = {}) =>
  (await keptOrDerivedId("threadId")(inputs as never, { urn, olds: { ...olds }, workingFolder: "/" })).values;

const urnOf = (stack: string, name: string, types = "agentserver:Thread") =>
  `urn:pulumi:${stack}::shop::${types}::${name}`;

test("computes version 5 UUIDs as specified in RFC 9562", () => {
  const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  expect(namedUuid(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

test("derives the same ID in all releases and stacks, but a different one per name and parent", async () => {
  const expected = { threadId: "60dea003-1be2-5cad-b2ab-cbfb72f3f816" };
  expect(await idOf(urnOf("dev", "inbox"))).toEqual(expected);
  expect(await idOf(urnOf("prod", "inbox"))).toEqual(expected);
  expect(await idOf(urnOf("dev", "other"))).not.toEqual(expected);
  expect(await idOf(urnOf("dev", "inbox", "my:Parent$agentserver:Thread"))).not.toEqual(expected);
});

test("keeps the ID in state, and computes none if the program specifies one", async () => {
  expect(await idOf(urnOf("dev", "renamed"), {}, { threadId: "kept" })).toEqual({ threadId: "kept" });
  expect(await idOf(urnOf("dev", "inbox"), { threadId: "given" }, { threadId: "kept" })).toEqual({});
});
