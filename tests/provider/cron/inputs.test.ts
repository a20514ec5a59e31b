import { cronInputs } from "../../../provider/cron/inputs";

test.each(["https://exämple.com/größe", "/hooks?filter={a}", "https://hooks.example.com/a|b", "?now"])(
  "accepts the webhook %s, as servers do",
  (webhook) => {
    const inputs = { connection: { url: "https://example.com" }, assistant: "agent", schedule: "0 9 * * *" };
    expect(cronInputs.safeParse({ ...inputs, webhook }).error).toBeUndefined();
  },
);
