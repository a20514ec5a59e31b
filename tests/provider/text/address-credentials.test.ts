import { credentialsIn, withoutCredentials } from "../../../provider/text/address-credentials";

test.each([
  ["https://git.example/a.git", "https://git.example/a.git"],
  ["https://name:pass@git.example/a.git", "https://***@git.example/a.git"],
  ["https://na@me:p@ss@git.example/a", "https://***@git.example/a"],
  ["https://git.example/a.git?token=hush-hush", "https://git.example/a.git?***"],
  ["https://x@git.example/a?access_token=hush-hush#part", "https://***@git.example/a?***#part"],
  ["git@git.example:a.git", "git@git.example:a.git"],
  ["/folder/a?b", "/folder/a?b"],
])("prints %s as %s", (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown);
});

test("hides user names, passwords, and tokens in both formats", () => {
  const parts = credentialsIn("https://name:p%40ssword@git.example/a?token=hush%2Bhush&ref=main");
  expect(parts).toEqual(
    expect.arrayContaining(["name", "p%40ssword", "p@ssword", "hush%2Bhush", "hush+hush"]),
  );
  expect(parts).not.toContain("main");
  expect(credentialsIn("https://git.example/a.git")).toEqual([]);
});
