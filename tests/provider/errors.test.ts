import { RunError } from "@pulumi/pulumi";
import { AgentServerError, asError, errorCodes, type ErrorCode } from "../../provider/errors";

/** Returns the `AgentServerError` class from another copy of this package. */
function otherCopy(): typeof AgentServerError {
  let copy: typeof AgentServerError | undefined;
  jest.isolateModules(() => {
    const module = jest.requireActual<{ AgentServerError: typeof AgentServerError }>("../../provider/errors");
    copy = module.AgentServerError;
  });
  return copy!;
}

const answered = (status: number, code: ErrorCode = "request_refused") =>
  new AgentServerError(code, "refused", { status });

/** Returns the names of the boolean properties of an error that are true. */
function saysYes(error: AgentServerError): string[] {
  const questions = [
    "isMissing",
    "isConflict",
    "isInvalid",
    "isDenied",
    "isRefused",
    "isUnsupported",
    "isTransient",
  ] as const;
  return questions.filter((question) => error[question]);
}

test("recognizes an error from another copy of the package, with its code and facts", () => {
  const Other = otherCopy();
  const error: unknown = new Other("deployment_gone", "gone", { deploymentId: "d" });
  expect(error).not.toBeInstanceOf(AgentServerError);
  expect(AgentServerError.is(error) && [error.code, error.facts]).toEqual([
    "deployment_gone",
    { deploymentId: "d" },
  ]);
  expect(Other.is(new AgentServerError("internal", "mistake"))).toBe(true);
});

test("makes Pulumi print only the message, except for a bug", () => {
  expect(RunError.isInstance(new AgentServerError("bad_configuration", "missing"))).toBe(true);
  expect(RunError.isInstance(new AgentServerError("internal", "mistake"))).toBe(false);
});

test.each([
  new Error("another"),
  { code: "internal", facts: {} },
  { name: "AgentServerError" },
  "internal",
  null,
  undefined,
])("does not treat %p as an error of this package", (value) =>
  expect(AgentServerError.is(value)).toBe(false),
);

test.each<[number, ErrorCode, string[]]>([
  [400, "request_refused", ["isRefused"]],
  [401, "refused_credentials", ["isDenied"]],
  [403, "refused_credentials", ["isDenied"]],
  [404, "request_refused", ["isMissing", "isUnsupported"]],
  [405, "request_refused", ["isUnsupported"]],
  [409, "request_refused", ["isConflict", "isRefused"]],
  [422, "request_refused", ["isInvalid", "isRefused"]],
  [429, "server_failed", ["isTransient"]],
  [501, "request_refused", ["isUnsupported"]],
  [503, "server_failed", ["isTransient"]],
])("classifies a response with status %i", (status, code, questions) =>
  expect(saysYes(answered(status, code))).toEqual(questions),
);

test("classifies a missing response as transient only", () =>
  expect(saysYes(new AgentServerError("connection_failed", "no answer"))).toEqual(["isTransient"]));

test.each([
  ["a text", "a text"],
  [{ message: "from somewhere" }, "from somewhere"],
  [{ reason: 7 }, 'a value other than an Error was thrown: {"reason":7}'],
  [new TypeError(""), "TypeError"],
  [undefined, "a value other than an Error was thrown: undefined"],
])("converts any thrown value to an error with a message: %p", (thrown, message) => {
  const error = asError(thrown);
  expect(error.message).toBe(message);
  expect(AgentServerError.is(error) && error.code).toBe("internal");
});

test("returns an error with a message unchanged", () => {
  const error = new RangeError("too far");
  expect(asError(error)).toBe(error);
});

test("lists each code once", () => expect(new Set(errorCodes).size).toBe(errorCodes.length));
