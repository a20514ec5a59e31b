/** A range in a string. */
interface Span {
  start: number;
  end: number;
}

/**
 * Maximum length of a piece, in characters. Longer words are searched for in pieces, which limits the cost per
 * position.
 */
const longest = 256;

/**
 * Length of the prefix by which words are found. Words that are shorter than this prefix are found by a shorter one.
 */
const telling = 16;

/**
 * Searches for a very large number of words at once, in one pass over the text.
 * @param shortest minimum length of words; shorter ones are ignored
 * @returns a function that finds the ranges of a string that are covered by words, in order; overlapping or adjacent
 * ranges are merged
 */
export function findAny(words: Iterable<string>, shortest: number): (text: string) => Iterable<Span> {
  const [few, many] = [new WordIndex(shortest), new WordIndex(telling)];
  for (const word of inPieces(words))
    if (word.length >= telling) many.add(word);
    else if (word.length >= shortest) few.add(word);

  return function* (text) {
    const [lengthOfMany, lengthOfFew] = [many.in(text), few.in(text)];
    let open: Span | undefined;
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const one = lengthOfMany(at);
      const other = lengthOfFew(at);
      const length = one > other ? one : other;
      if (length === 0) continue;
      if (open && at <= open.end) open.end = Math.max(open.end, at + length);
      else {
        if (open) yield open;
        open = { start: at, end: at + length };
      }
      // A match of this length is a whole piece, so the positions inside it are skipped.
      if (length === longest) at += length - 1;
    }
    if (open) yield open;
  };
}

/** Base of the number that represents a prefix. Only its lowest bits are kept. */
const factor = 31;
const bits = 0xfffff;

/**
 * Number of table entries per prefix: small enough to limit memory use, and large enough that few positions require a
 * comparison.
 */
const entriesPerPrefix = 64;

/** Index that finds words by a prefix. No word is shorter than the prefix. */
class WordIndex {
  private readonly words = new Set<string>();
  /** Lengths of the words with this prefix, longest first. */
  private readonly lengths = new Map<string, number[]>();
  /** Table that marks the hashes of all prefixes. Built when all words are known. */
  private beginnings: Uint8Array | undefined;

  /** Weight of a prefix's first character in its hash. */
  private readonly weightOfFirst: number;

  constructor(private readonly beginning: number) {
    this.weightOfFirst = 1;
    for (let next = 1; next < beginning; next += 1) this.weightOfFirst = (this.weightOfFirst * factor) & bits;
  }

  add(word: string): void {
    if (this.words.has(word)) return;
    this.words.add(word);
    const beginning = word.slice(0, this.beginning);
    const lengths = this.lengths.get(beginning);
    if (!lengths) this.lengths.set(beginning, [word.length]);
    else if (!lengths.includes(word.length)) {
      lengths.push(word.length);
      lengths.sort((a, b) => b - a);
    }
  }

  /**
   * Returns a function that returns the length of the longest word at a position in the text. The function is fastest
   * if it is called with ascending positions.
   */
  in(text: string): (at: number) => number {
    const { beginning, lengths, words } = this;
    if (words.size === 0) return () => 0;
    const beginnings = (this.beginnings ??= this.numbers());
    const last = beginnings.length - 1;
    let mixed = 0;
    let mixedAt = -1;
    /** Returns the length of the longest word at this position; 0 if there is none. */
    return (at) => {
      if (at + beginning > text.length) return 0;
      // If the position has advanced by one, only the characters that leave and enter the prefix change its
      // hash.
      mixed =
        at === mixedAt + 1 && at > 0
          ? this.mixedOn(mixed, text.charCodeAt(at - 1), text.charCodeAt(at + beginning - 1))
          : this.mix(text, at);
      mixedAt = at;
      if (!beginnings[mixed & last]) return 0;
      const known = lengths.get(text.slice(at, at + beginning)) ?? [];
      return (
        known.find((length) => at + length <= text.length && words.has(text.slice(at, at + length))) ?? 0
      );
    };
  }

  /** Returns the table of the hashes of all prefixes. */
  private numbers(): Uint8Array {
    const wanted = entriesPerPrefix * this.lengths.size;
    const table = new Uint8Array(Math.min(bits + 1, 2 ** Math.ceil(Math.log2(wanted))));
    for (const beginning of this.lengths.keys()) table[this.mix(beginning, 0) & (table.length - 1)] = 1;
    return table;
  }

  /** Returns the 20-bit hash of a prefix. Different prefixes may have the same hash. */
  private mix(text: string, at: number): number {
    let mixed = 0;
    for (let next = at; next < at + this.beginning; next += 1)
      mixed = (mixed * factor + text.charCodeAt(next)) & bits;
    return mixed;
  }

  /** Returns the hash of the prefix at the next position. */
  private mixedOn(mixed: number, leaves: number, enters: number): number {
    // None of these products exceeds the range of integers that a number can represent exactly.
    return ((mixed - leaves * this.weightOfFirst) * factor + enters) & bits;
  }
}

function* inPieces(words: Iterable<string>): Iterable<string> {
  for (const word of words) {
    let at = 0;
    // The last piece is longer, so that no remainder is too short to be distinguished.
    for (; word.length - at >= 2 * longest; at += longest) yield word.slice(at, at + longest);
    yield word.slice(at);
  }
}
