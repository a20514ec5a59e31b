import { configCommand, stackOption } from "../../../provider/text/config-command";

test("names the organization of a stack if the backend has several", () => {
  expect(stackOption("production", "acme")).toBe("acme/production");
  expect(stackOption("production", "organization")).toBe("production");
  expect(stackOption("production", undefined)).toBe("production");
  expect(stackOption("", "acme")).toBeUndefined();
});

test("sets a key in a specific stack, or in the selected one if the stack is unknown", () => {
  expect(configCommand({ stack: "acme/production" }, "approved", "1111111")).toBe(
    "pulumi config set --stack acme/production approved 1111111",
  );
  expect(configCommand({ stack: undefined, isSecret: true }, "key")).toBe("pulumi config set --secret key");
});

test("quotes a stack and operands that contain special characters or start with a hyphen", () => {
  expect(configCommand({ stack: "a b" }, "-key", "it's")).toBe(
    `pulumi config set --stack 'a b' -- -key 'it'\\''s'`,
  );
});
