import type { z } from "@hono/zod-openapi";
import { failureAnswer, validationAnswer } from "./schemas";

/** Entry of a route's `responses`: JSON of a schema. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** Entry of a route's `request`: a JSON body that must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Failures that every route which needs credentials may give. */
export const accessFailures = {
  401: json(failureAnswer, "The API key is missing or unknown."),
  403: json(failureAnswer, "The workspace is missing or not reached by this key."),
  422: json(validationAnswer, "The request does not validate."),
};

/** Failures of routes for which any one credential will do. */
export const schemeFailures = {
  401: json(failureAnswer, "None of the credentials is valid."),
  422: json(validationAnswer, "The request does not validate."),
};

/** And one that is about a certain deployment or revision. */
export const notFound = { 404: json(failureAnswer, "There is no such deployment or revision.") };

/** A refusal of something that validates. */
export const unaccepted = { 400: json(failureAnswer, "What is asked for cannot be done.") };

type Security = Record<string, string[]>[];

/** Both, on all routes but authenticate. */
export const keyAndTenant: Security = [{ "API Key": [], "Tenant ID": [] }];

/** Any one of them; for what reads, and to authenticate. */
export const anyScheme: Security = [{ "API Key": [] }, { "Tenant ID": [] }, { "Bearer Auth": [] }];

/** Any one that is a secret; for what changes something. */
export const anySecretScheme: Security = [{ "API Key": [] }, { "Bearer Auth": [] }];
