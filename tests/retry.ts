// CI shares its machine: a real process that is starved for seconds must not fail a whole run. What fails twice is
// broken, and what failed once is printed.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
