import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";
import tseslint from "typescript-eslint";
import plainEnglish from "./tools/lint/plain-english.cjs";

/** Code that users run. It writes its output with its own functions. */
const products = [
  "provider/**/*.ts",
  "sdk/**/*.ts",
  "cli/**/*.ts",
  "emulator/**/*.{ts,tsx}",
  "policies/**/*.ts",
];

/** Files without the rules about language. */
const withoutLanguageRules = [
  // The list of phrases, and tests that contain them.
  "tools/lint/phrases.cjs",
  "tests/tools/lint/**",
  // Part of the recipe by whose hash engines are cached: a change rebuilds every engine.
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
      // `== null` means "null or undefined", which the wire format treats alike.
      eqeqeq: ["error", "always", { null: "ignore" }],
      // Expressions remove terminal codes and NUL from the output of agents and the input of users.
      "no-control-regex": "off",
      // The cause of an error may contain what its message omits on purpose, such as credentials in a git address.
      "preserve-caught-error": "off",
    },
  },
  { files: products, rules: { "no-console": "error" } },

  // Plain JavaScript has no types to check: it is what runs before anything is installed or compiled, or in a browser.
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
      // `const { secret, ...rest } = all` omits a field; an unused argument before a used one begins with `_`.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      // An empty string or a zero counts as not given in environments, configuration, and terminals: `||` means that.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: true }],
      "@typescript-eslint/prefer-optional-chain": "error",
      // The reason on an aborted signal, or what was caught elsewhere, has no type; it is passed on as it is.
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
      // A fake implements an asynchronous interface, whether it has to wait or not.
      "@typescript-eslint/require-await": "off",
      // What is set up in a hook is missing where the hook failed, and fakes change what a condition looks at: types
      // tell neither.
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
);
