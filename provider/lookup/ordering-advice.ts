/** Advice for a lookup that found nothing: Pulumi may have run it before the program created the object. */
export const orderingAdvice =
  "If the same program creates it, use the `…Output` form of the function with an output of that resource as an argument, or with the `dependsOn` option, so that the lookup runs after the resource has been created.";
