"use strict";
const { faultsIn, spellings } = require("./phrases.cjs");

/** Maximum length of a test name, in characters. */
const maxNameLength = 90;

const questionWords = /^(What|Whether|How|Where|Who|Whose|Whom|Why|Which|When)\b/;

/** First words that end in "s" but are not third-person verbs. */
const notVerbs = /^(this|its|as|always|unless|across|besides|perhaps|sometimes|various|plus|status|\w*ss)$/;

/** Second words that show that the first word is a noun: "names are …", "secrets of …". */
const afterNouns =
  /^(are|were|do|have|come|stay|go|get|keep|need|may|can|cannot|must|live|tell|share|belong|fire|see|reach|make|of|which|whose|there)$/;

/** Returns the text of a doc comment without its asterisks. */
function docText(comment) {
  return comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, ""))
    .join(" ")
    .trim();
}

function docComments(context) {
  return context.sourceCode
    .getAllComments()
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"));
}

/** Reports doc comments that start with a question word. */
const docCommentStart = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { start: 'Start with a third-person verb, a noun phrase or "True if" instead of "{{word}}".' },
  },
  create: (context) => ({
    Program() {
      for (const comment of docComments(context)) {
        const word = questionWords.exec(docText(comment))?.[0];
        if (word) context.report({ loc: comment.loc, messageId: "start", data: { word } });
      }
    },
  }),
};

/** Reports banned phrases in comments and texts, and British spellings in names. */
const plainWords = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { phrase: 'Write {{replacement}} instead of "{{found}}".' },
  },
  create(context) {
    const check = (loc, text) => {
      for (const data of faultsIn(text)) context.report({ loc, messageId: "phrase", data });
    };
    return {
      Program() {
        for (const { loc, value } of context.sourceCode.getAllComments())
          check(loc, value.replace(/\s*\n\s*\*? ?/g, " "));
      },
      Literal({ loc, value, parent }) {
        const isPath = /^(Import|Export)/.test(parent.type);
        if (typeof value === "string" && !isPath) check(loc, value.replace(/\s+/g, " "));
      },
      TemplateElement({ loc, value }) {
        check(loc, value.raw.replace(/\s+/g, " "));
      },
      Identifier({ loc, name }) {
        for (const [pattern, replacement] of spellings) {
          const found = pattern.exec(name)?.[0];
          if (found) context.report({ loc, messageId: "phrase", data: { found, replacement } });
        }
      },
    };
  },
};

/** Returns the static text of a name; `undefined` if it is computed. */
function staticText(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.cooked).join("%s");
}

/** Returns the function that a call refers to: `test` for `test.each(rows)("…", …)`. */
function calledName({ callee }) {
  let node = callee;
  while (
    node.type === "CallExpression" ||
    node.type === "MemberExpression" ||
    node.type === "TaggedTemplateExpression"
  )
    node = node.callee ?? node.object ?? node.tag;
  return node.type === "Identifier" ? node.name : undefined;
}

/** True if the name starts with a third-person verb, or with a value from `each`. */
function startsWithVerb(name) {
  const [first = "", second = ""] = name.split(/[\s,:;]+/);
  if (/^[%$]/.test(first)) return true;
  return /^[a-z][a-z-]*s$/.test(first) && !notVerbs.test(first) && !afterNouns.test(second);
}

/** Reports test names that do not complete "it …", are too long, or occur twice in a file. */
const testNames = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      verb: 'Start the test name with a third-person verb, so that it completes "it …".',
      long: "Use at most {{max}} characters; this test name has {{length}}.",
      blank: "Remove the spaces around the test name.",
      duplicate: "Use another name; a test above has the same.",
    },
  },
  create(context) {
    const groups = [];
    const names = new Set();
    const checkTest = (node, name) => {
      const report = (messageId, data) => context.report({ node, messageId, data });
      if (name.trim() !== name) report("blank");
      else if (!startsWithVerb(name)) report("verb");
      if (name.length > maxNameLength) report("long", { max: maxNameLength, length: name.length });
      const fullName = JSON.stringify([...groups, name]);
      if (names.has(fullName)) report("duplicate");
      names.add(fullName);
    };
    // `test.each(rows)` has no name. The call of the function that it returns contains the name.
    const named = (node) => (node.arguments.length > 1 ? staticText(node.arguments[0]) : undefined);
    return {
      CallExpression(node) {
        const called = calledName(node);
        if (called !== "describe" && called !== "test" && called !== "it") return;
        const name = named(node);
        if (called === "describe") {
          if (name !== undefined) groups.push(name);
        } else if (name !== undefined) checkTest(node.arguments[0], name);
      },
      "CallExpression:exit"(node) {
        if (calledName(node) === "describe" && named(node) !== undefined) groups.pop();
      },
    };
  },
};

/** Reports disabled rules without a reason. */
const disableReason = {
  meta: { type: "suggestion", schema: [], messages: { reason: 'State the reason after "--".' } },
  create: (context) => ({
    Program() {
      for (const { loc, value } of context.sourceCode.getAllComments())
        if (/^\s*eslint-disable/.test(value) && !/--\s*\S/.test(value))
          context.report({ loc, messageId: "reason" });
    },
  }),
};

module.exports = {
  rules: {
    "disable-reason": disableReason,
    "doc-comment-start": docCommentStart,
    "plain-words": plainWords,
    "test-names": testNames,
  },
};
