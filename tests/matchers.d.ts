/// <reference types="jest" />

/**
 * Placeholder within an expected value, which only Jest interprets. Jest's own types use `any`, which makes other types
 * unsafe.
 */
declare interface ValueMatcher {
  asymmetricMatch(other: unknown): boolean;
}

declare namespace jest {
  interface Expect {
    anything(): ValueMatcher;
    any(classType: unknown): ValueMatcher;
    arrayContaining(items: readonly unknown[]): ValueMatcher;
    closeTo(value: number, digits?: number): ValueMatcher;
    objectContaining(fields: object): ValueMatcher;
    stringContaining(text: string): ValueMatcher;
    stringMatching(pattern: string | RegExp): ValueMatcher;
  }

  interface InverseAsymmetricMatchers {
    arrayContaining(items: readonly unknown[]): ValueMatcher;
    objectContaining(fields: object): ValueMatcher;
    stringContaining(text: string): ValueMatcher;
    stringMatching(pattern: string | RegExp): ValueMatcher;
  }
}
