import type { z } from "@hono/zod-openapi";
import { failureAnswer, validationAnswer } from "./schemas";

/** Returns an entry of a route's `responses`: JSON of a schema. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** Returns an entry of a route's `request`: a required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Failures of every route that requires credentials. */
export const accessFailures = {
  401: json(failureAnswer, "The API key is missing or unknown."),
  403: json(failureAnswer, "The workspace is missing, or this key has no access to it."),
  422: json(validationAnswer, "The request is not valid."),
};

/** Failures of routes that accept any one credential. */
export const schemeFailures = {
  401: json(failureAnswer, "None of the credentials is valid."),
  422: json(validationAnswer, "The request is not valid."),
};

/** Failure of routes for a specific deployment or revision. */
export const notFound = { 404: json(failureAnswer, "The deployment or revision does not exist.") };

/** Refusal of a request that is valid but cannot be carried out. */
export const unaccepted = { 400: json(failureAnswer, "The request cannot be processed.") };

type Security = Record<string, string[]>[];

/** Requires both key and tenant, on all routes but authenticate. */
export const keyAndTenant: Security = [{ "API Key": [], "Tenant ID": [] }];

/** Requires any one scheme; for reads, and to authenticate. */
export const anyScheme: Security = [{ "API Key": [] }, { "Tenant ID": [] }, { "Bearer Auth": [] }];

/** Requires any one secret scheme; for changes. */
export const anySecretScheme: Security = [{ "API Key": [] }, { "Bearer Auth": [] }];
