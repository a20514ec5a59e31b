import { fc } from "../../properties";
import { readPreview } from "../../../cli/review/preview/read";
import { AgentServerError } from "../../../provider/errors";
import { recorded } from "./previews";

test.each(["", "  \n", "hello", "{}", "[]", "null", '{"steps": 3}', '{"a":1}\n{"b":2}'])(
  "rejects %j, which is not a preview",
  (text) => {
    expect(() => readPreview(text)).toThrow("This is not the output of `pulumi preview --json`");
  },
);

test("rejects invalid input without repeating it", () => {
  expect(() => readPreview('{"steps":[{"op":"create","urn":{"secret":"hush"}}]}')).not.toThrow("hush");
});

test("reports every invalid input with a clear error message", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        readPreview(text);
      } catch (error) {
        expect(AgentServerError.is(error)).toBe(true);
      }
    }),
  );
});

test("treats a truncated preview as failed", () => {
  const lines = recorded("mixed", "events").split("\n");
  const preview = readPreview(lines.slice(0, 5).join("\n"));
  expect(preview.failed).toBe(true);
  expect(preview.errors).toEqual([{ message: "the preview stopped before it was complete" }]);
});

test("reports a truncated digest as truncated", () => {
  const digest = recorded("mixed", "digest");
  expect(() => readPreview(digest.slice(0, digest.length / 2))).toThrow(
    "it contains invalid JSON starting at line 1, or it is truncated",
  );
});

test("redacts secrets, regardless of how the engine marks them", () => {
  const values = (form: "digest" | "events") => {
    const made = readPreview(recorded("mixed", form)).resources.find(({ urn }) => urn.endsWith("::drafts"));
    return [made?.after?.inputs.secrets, made?.after?.inputs.sourceConfig];
  };
  expect(values("digest")).toEqual([{ K: "[secret]" }, { repoUrl: "[secret]" }]);
  expect(values("events")).toEqual(values("digest"));
});

test("does not treat resources as deleted if a digest omits them because they are unchanged", () => {
  const refreshed = (same: number) =>
    readPreview(
      JSON.stringify({
        steps: [{ op: "refresh", urn: "urn:pulumi:s::p::t::kept", oldState: { id: "1" } }],
        changeSummary: { same },
      }),
    ).resources[0]!.refresh;
  expect(refreshed(1)).toEqual({ gone: false });
  expect(refreshed(0)).toEqual({ gone: true });
});
