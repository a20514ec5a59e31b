import type { Facts } from "../data/types";

interface AdminOffProps {
  title: string;
  /** Subject of the sentence "… requires the admin API". */
  what: string;
  facts: Facts;
}

/** Explains which features the admin API would add, why it is not available, and what to do. */
export function AdminOff({ title, what, facts }: AdminOffProps) {
  return (
    <section class="notice">
      <h2>{title}</h2>
      {facts.admin.served ? (
        <p>
          {what} requires the admin API, which your key cannot access. Sign out, and sign in again with the
          admin key or, if there is none, with an API key of the first organization.
        </p>
      ) : (
        <>
          <p>{what} requires the admin API, which is off. To turn it on, start the control plane with</p>
          <pre>npx agentserver emulate --admin</pre>
          <p>or, in a program,</p>
          <pre>{"await startControlPlane({ admin: true });"}</pre>
        </>
      )}
    </section>
  );
}
