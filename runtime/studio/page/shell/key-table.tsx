import { Dialog } from "./dialog.js";
import type { KeyGroup } from "./key-line.js";
import { keysAreShown } from "./whereabouts.js";

/** All keys and what they do. */
export function KeyTable({ groups }: { readonly groups: readonly KeyGroup[] }) {
  if (!keysAreShown.value) return null;
  const close = (): void => {
    keysAreShown.value = false;
  };
  return (
    <Dialog label="Keys" kind="keys" closed={close}>
      <div class="dialog-head">
        <h2>Keys</h2>
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
      </div>
      <div class="key-groups">
        {groups.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(({ keys, says }) => (
                <div key={says}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{says}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
