import { splitArguments } from "../../../../tools/dev-engine/language-host/options";

test.each([
  ["", []],
  ["  --a   b ", ["--a", "b"]],
  [`--a="two words" 'three more words'`, ["--a=two words", "three more words"]],
  [String.raw`a\ b "c \"d\"" 'e\f'`, ["a b", 'c "d"', String.raw`e\f`]],
])("splits %s", (text, words) => {
  expect(splitArguments(text)).toEqual(words);
});

test.each([`"open`, "it's"])("rejects the unclosed quote in %s", (text) => {
  expect(() => splitArguments(text)).toThrow("unclosed quote");
});
