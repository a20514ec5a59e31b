/** Oldest version of Pulumi's SDKs for Node.js and Python that programs can use. */
export const oldestSdk = "3.249.0";
