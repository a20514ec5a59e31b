/// <reference types="jest" />

/** Placeholder inside an expected value, which only Jest reads. Its own types say `any`, which spreads. */
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
