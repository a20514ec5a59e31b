import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import { DesiredInputs } from "../../../../provider/resource/inputs/wanted";

const state = { name: "support", sourceConfig: { repoUrl: "https://git.example.com/agents", shared: false } };

describe("the comparison of inputs", () => {
  test("ignores the order of keys", () => {
    const { name, sourceConfig } = state;
    const wanted = new DesiredInputs(state, {
      sourceConfig: { shared: false, repoUrl: sourceConfig.repoUrl },
      name,
    });
    expect(wanted.hasChanges).toBe(false);
    expect(wanted.changes("sourceConfig")).toBe(false);
  });

  test("ignores a field without a value", () => {
    const wanted = new DesiredInputs(state, { ...state, displayName: undefined });
    expect(wanted.changes("displayName")).toBe(false);
    expect(wanted.changes("name")).toBe(false);
  });

  test.each([
    ["a different value", "billing"],
    ["an unknown value", notKnownYet],
    ["null", null],
  ])("reports %s, but not the other fields", (_, name) => {
    const wanted = new DesiredInputs(state, { ...state, name });
    expect(wanted.hasChanges).toBe(true);
    expect(wanted.changes("name")).toBe(true);
    expect(wanted.changes("sourceConfig.repoUrl")).toBe(false);
  });

  test("reports every value as changed if the resource is not in state", () => {
    const wanted = new DesiredInputs({}, state);
    expect(wanted.hasChanges).toBe(true);
    expect(wanted.changes("name")).toBe(true);
    expect(wanted.replaces("name")).toBe(false);
  });
});
