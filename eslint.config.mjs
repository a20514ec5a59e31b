import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";
import tseslint from "typescript-eslint";
import plainEnglish from "./tools/lint/plain-english.cjs";

/** Code that users run, which writes its output without `console`. */
const products = [
  "provider/**/*.ts",
  "sdk/**/*.ts",
  "cli/**/*.ts",
  "emulator/**/*.{ts,tsx}",
  "policies/**/*.ts",
];

/** Files that the language rules do not apply to. */
const withoutLanguageRules = [
  // The list of phrases, and tests that contain them.
  "tools/lint/phrases.cjs",
  "tests/tools/lint/**",
  // Part of the cache key of engines, so a change causes a new build.
  "tools/dev-engine/without-clouds.ts",
];

export default defineConfig(
  {
    ignores: [
      "**/node_modules/",
      "**/dist/",
      ".agentserver/",
      "coverage/",
      // Its test installs Vitest and checks its types.
      "examples/testing-vitest/",
      // Programs for tests of the language host, some of which are invalid on purpose.
      "tests/tools/dev-engine/language-host/fixtures/",
    ],
  },
  {
    ignores: withoutLanguageRules,
    plugins: { "plain-english": plainEnglish },
    rules: {
      "plain-english/disable-reason": "error",
      "plain-english/doc-comment-start": "error",
      "plain-english/plain-words": "error",
    },
  },
  {
    files: ["tests/**"],
    ignores: withoutLanguageRules,
    plugins: { "plain-english": plainEnglish },
    rules: { "plain-english/test-names": "error" },
  },
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  eslint.configs.recommended,
  {
    rules: {
      // `== null` means "null or undefined", which are equivalent in the wire format.
      eqeqeq: ["error", "always", { null: "ignore" }],
      // Regular expressions remove terminal codes and NUL characters from agent output and user input.
      "no-control-regex": "off",
      // The cause of an error may contain what its message omits on purpose, such as credentials in a git address.
      "preserve-caught-error": "off",
    },
  },
  { files: products, rules: { "no-console": "error" } },

  // Plain JavaScript has no types to check. It runs in a browser, or before anything is installed or compiled.
  { files: ["**/*.{js,cjs,mjs}"], languageOptions: { globals: globals.node } },
  { files: ["tools/site/vitepress/theme/**"], languageOptions: { globals: globals.browser } },
  { files: ["**/*.cjs", "*.js"], languageOptions: { sourceType: "commonjs" } },

  {
    files: ["**/*.{ts,cts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "tsconfig.examples.json", "emulator/page/client/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-misused-spread": "error",
      "@typescript-eslint/no-unnecessary-boolean-literal-compare": "error",
      "@typescript-eslint/no-unnecessary-condition": "error",
      "@typescript-eslint/no-unnecessary-template-expression": "error",
      "@typescript-eslint/no-unnecessary-type-conversion": "error",
      // `const { secret, ...rest } = all` omits a field. Names of unused arguments start with `_`.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      // In environments, configuration, and terminals, an empty string or a zero counts as missing, so `||` is correct.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: true }],
      "@typescript-eslint/prefer-optional-chain": "error",
      // Reasons of aborted signals, and errors that were caught elsewhere, have no type and are passed on unchanged.
      "@typescript-eslint/prefer-promise-reject-errors": [
        "error",
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/return-await": ["error", "in-try-catch"],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      "@typescript-eslint/use-unknown-in-catch-callback-variable": "error",
    },
  },
  {
    files: ["tests/**"],
    rules: {
      // Fakes implement asynchronous interfaces, even if they do not have to wait.
      "@typescript-eslint/require-await": "off",
      // Types do not show that a value is missing if the hook that creates it failed, or that a fake changes the value
      // of a condition.
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
);
