import type { z } from "@hono/zod-openapi";
import { failureAnswer, validationAnswer } from "./schemas";

/** Returns an entry for the `responses` of a route: JSON that matches a schema. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** Returns an entry for the `request` of a route: a required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Error responses of every route that requires credentials. */
export const accessFailures = {
  401: json(failureAnswer, "The API key is missing or unknown."),
  403: json(failureAnswer, "The workspace is missing, or this key has no access to it."),
  422: json(validationAnswer, "The request is not valid."),
};

/** Error responses of routes that accept any single credential. */
export const schemeFailures = {
  401: json(failureAnswer, "None of the credentials is valid."),
  422: json(validationAnswer, "The request is not valid."),
};

/** Error response of routes for a specific deployment or revision. */
export const notFound = { 404: json(failureAnswer, "The deployment or revision does not exist.") };

/** Error response for a request that is valid but cannot be executed. */
export const unaccepted = { 400: json(failureAnswer, "The request cannot be processed.") };

type Security = Record<string, string[]>[];

/** Requires both a key and a tenant, on all routes except authenticate. */
export const keyAndTenant: Security = [{ "API Key": [], "Tenant ID": [] }];

/** Requires one of the authentication schemes. Used for reads and for authentication. */
export const anyScheme: Security = [{ "API Key": [] }, { "Tenant ID": [] }, { "Bearer Auth": [] }];

/** Requires one of the authentication schemes with a secret. Used for changes. */
export const anySecretScheme: Security = [{ "API Key": [] }, { "Bearer Auth": [] }];
