"use strict";

/** Phrases that are not plain English, with their replacements. */
const phrases = [
  [/\banew\b/, "again"],
  [/\bonce more\b/, "again"],
  [/\bby now\b/, "now"],
  [/\bof before\b/, "previous"],
  [/\bfor ever\b/, "permanently"],
  [/\bin the midst\b/, "during"],
  [/\bin (the )?place of\b/, "instead of"],
  [/\bby (itself|themselves)\b/, "automatically"],
  [/\bof (its|their|his|one's|somebody's) own\b(?! [a-z])/, "its own"],
  [/\b(somebody|nobody|whoever|everybody)\b/, "the actor: the user, another stack, the caller"],
  [/\b(take|takes|taken|took|taking) (it |them |that )?over\b/, "adopt"],
  [/\b(go|goes|gone|went) on with\b/, "resume"],
  [/\bways? out\b/, "the action to take"],
  [/\b(leave|leaves|left) (it |them |one )?out\b/, "omit"],
  [/\bso (many|soon)\b/, "this many, within"],
  [/\bfails never\b/, "never fails"],
  [/\bis none of\b/, "is not one of"],
  [/\bat (the|a) control plane\b/, "on the control plane"],
  [/\bat (the|an) agent server\b/, "on the agent server"],
  [/\bcut off\b/, "interrupted"],
  [/\bstruck\b/, "injected a fault"],
  [/\bleft behind\b/, "orphaned"],
  [/\bgravest\b/, "most severe"],
  [/\bby turns\b/, "alternately"],
  [/\bheld against\b/, "checked against"],
  [/\bbesides?\b/, "next to, in addition to"],
  [/\b(come|comes|came) to (an|its|their|the) end\b/, "end, settle"],
  [/\b(what|which) .{1,30} came to\b/, "result of"],
  [/\bto be known\b/i, "note"],
  [/\b(a|one|two|each|every|next|first|last) looks?\b/, "poll, check, request"],
  [/\bmakes? (a|no|one|its first|the first) (new )?(revision|deployment)\b/, "create"],
  [/\bby which\b.*\bby which\b/, "two sentences"],
  [/\bwas answered \S*[\d$%]/, "returned"],
  [/\bwhatever\b/, "regardless of, any"],
  [/\bsomeone else\b/, "another stack or user, others"],
  [/\bthere is no such\b/, "the … does not exist"],
  [/\b(made|created) again\b/, "recreated"],
  [/\b(goes|go) with (its|their) (deployment|token|thread)s?\b/, "is deleted with"],
  [/\bhas no business\b/, "does not check, does not use"],
  [/\bcomes? of it\b/, "result"],
  [/\bbelongs? into\b/, "belongs in"],
  [/, also (after|between|for|when)\b/, "even after, including"],
  [/\bis no (json|list|object|uuid|yaml)\b/, "is not a …, is not valid …"],
  [/\bis not yaml\b/, "is not valid YAML"],
  [/\bwithout a (wait|write)\b/, "without writing, if it does not wait"],
  [/\bbefore a delete\b/, "before deleting"],
  [/\bmaximum memory\b/, "peak memory"],
  [/\bclosed gates?\b/, "failed gate"],
  [/\bthe (last )?long run\b/, "the full test run"],
  [/\bunder way\b/, "in progress"],
  [/\bchanges? of (a |the )?(secret|setting|size|source)s?\b/, "change to"],
  [/\brequests of (agents|clients|the page)\b/, "requests from"],
  [/\bfirst cause\b/, "first error"],
  [/\bhad not settled\b/, "is still in progress"],
  [/\bended with exit code\b/, "exited with code"],
  [/\bwas ended by\b/, "was terminated by"],
  [/\b(gave|gives) no reason\b/, "reported no reason"],
  [/\bin an unclear way\b/, "the details"],
  [/\bvalid once\b/, "can be used once"],
  [/\bis short for\b/, "is shorthand for"],
  [/\bfrom above\b/, "described above"],
  [/\b(is|are) never in (the )?state\b/, "is never stored in state"],
  [/\bunreadable directive\b/, "invalid directive"],
  [/\b(real|cloud) service\b/, "the public service"],
  [/\bpage of the (local )?control plane\b/, "web console"],
  [
    /\b(values|variables|secrets|keys|items|deployments|objects|changes|permissions) of others\b/,
    "that others set, others'",
  ],
  [/\bfor one run\b/, "for one `pulumi up`"],
  [/\brun this again\b/, "run the command again"],
  [/\bsettings of (pip|npm|uv|langsmith)\b/, "pip settings"],
  [/\buser interface of\b/, "the … UI"],
  [/\bkeys? of (an|the) organization\b/, "organization key"],
  [/\brequests? that changes? anything\b/, "write request"],
  [/\bnot fewer than\b/, "at least"],
  [/\b(states|reports) this[.,]/, "says so"],
  [/\bany more\b(?! [a-z]+s\b)/, "no longer, anymore"],
  [/\bother [a-z-]+ than\b/, "… other than"],
  [
    /\b\d{1,2} (january|february|march|april|may|june|july|august|september|october|november|december) \d{4}\b/,
    "November 28, 2026",
  ],
];

/** British spellings, with their American equivalents. */
const spellings = [
  [/(behavi|col|fav|hon|lab|neighb)ours?(?![a-z]*t)/i, "…or"],
  [
    /(organ|recogn|initial|serial|normal|synchron|optim|summar|capital|custom|final|standard)is(e[ds]?|ing|ation)/i,
    "…iz…",
  ],
  [/\banalys(e[ds]?|ing)\b/i, "analyz…"],
  [/catalogues?/i, "catalog"],
  [/\bcent(re|res)\b/i, "center"],
  [/\bgrey\b/i, "gray"],
  [/(label|model|travel)l(ed|ing)\b/i, "one l"],
  [/\bdefence\b/i, "defense"],
  [/artefacts?/i, "artifact"],
  [/\bwhilst\b/i, "while"],
  [/\bafterwards\b/i, "afterward"],
  [/\b(learnt|spelt)\b/i, "learned, spelled"],
  [/\bjudgement/i, "judgment"],
];

const faults = [...phrases, ...spellings].map(([pattern, replacement]) => [
  new RegExp(pattern, "i"),
  replacement,
]);

/** Returns all banned phrases and British spellings in a text, with their replacements. */
function faultsIn(text) {
  return faults.flatMap(([pattern, replacement]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [{ found, replacement }];
  });
}

module.exports = { faultsIn, spellings };
