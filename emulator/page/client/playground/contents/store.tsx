import { useState } from "preact/hooks";
import { localTime } from "../../data/time";
import { CopyProgram } from "../../elements/copy-program";
import { DialogButton, Field, type Values } from "../../elements/fields";
import { TextArea } from "../../elements/text-area";
import { Untrusted } from "../../elements/untrusted";
import { itemDeclaration } from "../../program/contents";
import { useTools } from "../../tools";
import { useAgent, useLoaded } from "../agent-context";
import { jsonOf } from "../agent/input-fields";

const itemsPerPage = 50;
const separator = " / ";

/** Displays the items in the store of the agent, by namespace. Reading items does not extend their TTL. */
export function Store() {
  const { client, deploymentName, now } = useAgent();
  const { act } = useTools();
  const [prefix, setPrefix] = useState<string[]>([]);
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(itemsPerPage);
  const [version, setVersion] = useState(0);
  const { value: namespaces } = useLoaded(
    async () => (await client.store.listNamespaces({ limit: 200 })).namespaces,
    [client, version],
  );
  const { value: items, problem } = useLoaded(
    async () => (await client.store.searchItems(prefix, { limit, refreshTtl: false })).items,
    [client, prefix, limit, version],
  );
  const shown = items?.filter((item) => text === "" || JSON.stringify([item.key, item.value]).includes(text));
  const change = (done: string, action: () => Promise<unknown>) =>
    void act(done, async () => {
      await action();
      setVersion(version + 1);
    });
  const put = ({ namespace, key, value, ttl }: Values) =>
    change("The item was stored.", async () => {
      const labels = String(namespace)
        .split("/")
        .map((label) => label.trim());
      const parsed = jsonOf(String(value), "Value") as Record<string, unknown>;
      await client.store.putItem(labels, String(key), parsed, {
        ttl: ttl === undefined ? undefined : Number(ttl),
      });
    });
  const isChosen = (namespace: string[]) => JSON.stringify(namespace) === JSON.stringify(prefix);
  return (
    <div class="threads">
      <nav aria-label="Namespaces">
        <h3>
          Namespaces <span class="count">{namespaces?.length}</span>
        </h3>
        <ul class="checkpoint-list">
          {[[], ...(namespaces ?? [])].map((namespace) => (
            <li key={namespace.join(separator)}>
              <button type="button" aria-pressed={isChosen(namespace)} onClick={() => setPrefix(namespace)}>
                <Untrusted text={namespace.join(separator) || "All"} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section class="thread" aria-label="Items">
        <div class="chat-bar">
          <h3>
            Items <span class="count">{shown?.length}</span>
          </h3>
          <input
            type="search"
            placeholder="Contains…"
            aria-label="Show only items that contain"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="button" class="small" onClick={() => setVersion(version + 1)}>
            Refresh
          </button>
          <DialogButton text="Put item…" title="Store an item" submit="Store" onSubmit={put}>
            <Field
              key={prefix.join("/")}
              title="Namespace, with / between its labels"
              name="namespace"
              defaultValue={prefix.join("/")}
              required
            />
            <Field title="Key" name="key" required />
            <TextArea title="Value as JSON" name="value" rows={5} defaultValue="{}" required />
            <Field title="TTL in minutes" name="ttl" type="number" min={0} step="any" placeholder="none" />
          </DialogButton>
        </div>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {shown?.length === 0 && <p class="empty">No items.</p>}
        <ul class="cards">
          {shown?.map((item) => {
            const { namespace, key, value, updatedAt } = item;
            return (
              <li key={JSON.stringify([namespace, key])} class="card">
                <div class="chat-bar">
                  <h4>
                    <Untrusted text={[...namespace, key].join(separator)} />
                  </h4>
                  <span class="quiet small">{localTime(Date.parse(updatedAt), now)}</span>
                  <DialogButton
                    text="Delete…"
                    title="Delete the item?"
                    submit="Delete"
                    danger
                    small
                    onSubmit={() =>
                      change("The item was deleted.", () => client.store.deleteItem(namespace, key))
                    }
                  >
                    <Untrusted text={key} tag="p" />
                  </DialogButton>
                </div>
                <Untrusted text={JSON.stringify(value, undefined, 2)} tag="pre" />
                <CopyProgram
                  subject={`the item ${key}`}
                  declare={() => itemDeclaration(deploymentName, item)}
                />
              </li>
            );
          })}
        </ul>
        {items?.length === limit && (
          <button type="button" class="plain" onClick={() => setLimit(limit + itemsPerPage)}>
            More items
          </button>
        )}
      </section>
    </div>
  );
}
